"""scrapy-playwright: `handlers.browser` starts the browser itself, with options of its own, and ends contexts."""

import inspect

from scrapy.settings import Settings
from scrapy_playwright.handler import Config, ScrapyPlaywrightDownloadHandler

from tests.contracts.private_names import parameters, relied_on

WHY = "handlers.browser starts the browser behind the guarding proxy"


def test_driver_and_browser_are_started_by_two_coroutines_without_arguments():
    for name in ("_launch", "_maybe_launch_browser"):
        method = relied_on(ScrapyPlaywrightDownloadHandler, name, WHY)
        assert inspect.iscoroutinefunction(method), f"{name} is no coroutine function any more: {WHY}"
        assert parameters(method) == ["self"]


def test_the_browser_starts_with_the_options_of_the_handlers_config():
    config = Config.from_settings(Settings())
    assert config.launch_options == {}, "config.launch_options is gone: the browser's proxy is among them"
    config.launch_options = {"headless": True}
    made = inspect.getsource(ScrapyPlaywrightDownloadHandler.__init__)
    for name in ("self.config", "self.context_wrappers", "self.process_request_headers"):
        assert name in made, f"{name} is gone: {WHY}"


def test_the_launched_browser_is_an_attribute_and_contexts_wrap_playwrights():
    launch = inspect.getsource(ScrapyPlaywrightDownloadHandler._maybe_launch_browser)
    assert "self.browser =" in launch, "handler.browser is gone: handlers.browser asks whether it is alive"
    made = inspect.getsource(ScrapyPlaywrightDownloadHandler._create_browser_context)
    assert "BrowserContextWrapper(" in made and "context=context" in made
