"""The user agent, and the name that it has in robots.txt."""

from research_crawler.core.config import Config
from research_crawler.core.web.user_agent import PRODUCT_TOKEN, product_token_of, user_agent_of
from tests.cases import each_case


def test_the_user_agent_names_product_version_and_contact():
    agent = user_agent_of(Config(contact="mail@example.org"))
    assert agent.startswith(f"{PRODUCT_TOKEN}/")
    assert agent.endswith("(+mail@example.org)")


@each_case(
    ("agent", "token"),
    [
        ("", PRODUCT_TOKEN),
        ("SeekerBot/2.1 (+https://seeker.example)", "seekerbot"),
        ("Mozilla/5.0 (compatible; Seeker-Bot/2.1; +https://seeker.example)", "seeker-bot"),
        ("42", PRODUCT_TOKEN),
    ],
)
def test_robots_txt_is_read_for_the_name_in_the_user_agent(agent, token):
    assert product_token_of(Config(user_agent=agent)) == token
