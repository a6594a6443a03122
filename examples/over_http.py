"""Ask a question over HTTP. `research up --serve` must be running; give its token by RESEARCH_SERVE_TOKEN.

python examples/over_http.py ["QUESTION"] [URL]
"""

import os
import sys

import httpx

QUESTION, URL = "What is the best hand coffee grinder for travel?", "http://127.0.0.1:8321"


def main(question: str = QUESTION, url: str = URL) -> None:
    """Start a job, print its steps as they happen, then its report."""
    headers = {"Authorization": f"Bearer {os.environ['RESEARCH_SERVE_TOKEN']}"}
    with httpx.Client(base_url=url, headers=headers, timeout=60) as client:
        job = client.post("/jobs", json={"goal": question}).raise_for_status().json()["task_id"]
        with client.stream("GET", f"/jobs/{job}/events") as events:
            for line in events.iter_lines():
                if line.startswith("event: "):
                    print(line)
        print(client.get(f"/jobs/{job}/result").raise_for_status().json()["report_markdown"])


if __name__ == "__main__":
    main(*sys.argv[1:3])
