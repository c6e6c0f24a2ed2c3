"""The built site in a browser, as its readers see it; ``make test-site`` builds it, and names it in `SITE`.

The browser is a Chromium without a window. The site comes from a server in this process: pages from files
have no clipboard, and no search.
"""

import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="Selenium, which `make test-site` installs")
SITE = os.environ.get("SITE", "")
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
pytestmark = [
    pytest.mark.skipif(not SITE, reason="needs the built site, which `make test-site` names in SITE"),
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Debian's chromium and chromium-driver"),
]

FLAGS = (
    *("headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-sync"),
    *("disable-background-networking", "disable-component-update", "hide-scrollbars"),
)
WIDE, NARROW = (1280, 900), (390, 844)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server of files that prints nothing."""

    def log_message(self, format, *args):
        """Print nothing."""


@pytest.fixture(scope="module")
def address():
    """Where the site is served."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=SITE))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A Chromium of its own, with nobody's settings."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in FLAGS:
        options.add_argument(f"--{flag}")
    options.add_argument(f"--user-data-dir={tmp_path_factory.mktemp('chromium')}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    driver.implicitly_wait(10)
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser, address):
    """A function that opens a page in a window of a size."""

    def opened(page, size=WIDE):
        width, height = size
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == NARROW}
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        browser.get(f"{address}/{page}")
        return browser

    return opened


def found(browser, selector):
    """The first element of a page that a selector of CSS finds, for which the browser waits."""
    return browser.find_element("css selector", selector)


def test_the_front_page_is_one_screen(opened):
    """A rule, the source of a compiled gradient beside its program, and pictures that are there."""
    browser = opened("index.html", (1280, 1000))
    left, right = (found(browser, f".beside > div:nth-child({place})").rect for place in (1, 2))
    pictures = browser.find_elements("css selector", "article img")

    assert "ChainRules" in browser.title
    assert "@rrule.dispatch" in found(browser, "article .highlight-python").text
    assert left["y"] == right["y"]
    assert right["x"] >= left["x"] + left["width"]
    assert len({picture.rect["y"] for picture in pictures}) == 1
    assert right["y"] + right["height"] < 1000


@pytest.mark.parametrize(("typed", "title"), [("cholesky", "Rules for"), ("pullback", "")])
def test_search_finds_pages(opened, typed, title):
    """What is typed leads to pages that have the word, and the name of a function to its rules."""
    browser = opened("index.html")
    field = found(browser, ".sidebar-search")
    field.send_keys(typed)
    field.submit()
    first = found(browser, "ul.search li a")

    assert first.text.startswith(title)
    first.click()
    assert typed in found(browser, "article").text.lower()


def test_code_is_copied_by_its_button(opened, address):
    """The button appears over a block, and copies the program without prompts."""
    browser = opened("index.html")
    granted = {"origin": address, "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
    browser.execute_cdp_cmd("Browser.grantPermissions", granted)
    block = found(browser, "article .highlight-python")
    button = found(browser, "article .highlight-python button.copybtn")
    webdriver.ActionChains(browser).move_to_element(block).move_to_element(button).click().perform()
    found(browser, "button.copybtn.success")
    copied = browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")

    assert copied.strip() == block.text.strip()
    compile(copied, "<the clipboard>", "exec")


def lightness(browser, selector):
    """The sum of red, green and blue behind the first element that a selector finds."""
    color = found(browser, selector).value_of_css_property("background-color")
    return sum(map(int, color.partition("(")[2].split(",")[:3]))


def test_dark_mode(opened):
    """The button in the corner makes the page dark, and the code in it."""
    browser = opened("index.html")
    assert min(lightness(browser, "body"), lightness(browser, ".highlight")) > 600
    for _ in range(2):  # from the mode of the system to light, then to dark
        if browser.execute_script("return document.body.dataset.theme") != "dark":
            found(browser, ".content-icon-container .theme-toggle").click()
    browser.execute_script("localStorage.clear()")  # of what the button chose

    assert max(lightness(browser, "body"), lightness(browser, ".highlight")) < 150


def test_a_narrow_screen_has_the_contents_behind_a_button(opened):
    """The list of pages is out of sight until it is asked for."""
    browser = opened("index.html", NARROW)
    link = found(browser, ".sidebar-tree a")

    assert link.rect["x"] < 0
    found(browser, ".mobile-header .nav-overlay-icon").click()
    browser.execute_async_script("setTimeout(arguments[0], 500)")  # it slides in
    assert link.rect["x"] >= 0


def test_every_page_is_whole(opened, browser):
    """No page has an error on the console, lacks a picture, or is wider than a narrow screen."""
    pages = [path.relative_to(SITE).as_posix() for path in sorted(Path(SITE).rglob("*.html"))]
    pages = [page for page in pages if not page.startswith("_")]
    browser.get_log("browser")
    faults = {}
    for page in pages:
        opened(page, NARROW)
        missing = "return Array.from(document.images).filter(i => !i.naturalWidth).map(i => i.src)"
        errors = [entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
        width = browser.execute_script("return document.documentElement.scrollWidth")
        faults[page] = errors + browser.execute_script(missing) + ([width] if width > NARROW[0] else [])

    assert len(pages) > 50
    assert {page: fault for page, fault in faults.items() if fault} == {}
