#!/usr/bin/env python3
"""Clicks through the pages of the test issuer in headless Chromium, which reaches nothing but this machine.

    issuer_pages.py POSTERN FOLDER      the program, and where screenshots go

Needs Debian's chromium, chromium-driver and python3-selenium. Ends with status 1 at the first thing that is not as it should be.
"""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import urllib.parse
import urllib.request

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

HOSTILE = "\"><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\">"
STATE = "a state & \"more\" <b>'` +%41"
NONCE = "nonce é 漢"
CLIENT = "com.example.web"


class App(http.server.BaseHTTPRequestHandler):
    """The app that people sign in to: it notes what comes and sends the browser on to another origin."""

    seen = []

    def answer(self, text):
        address = urllib.parse.urlsplit(self.path)
        if address.path != "/callback":
            body = b"<!DOCTYPE html><title>app</title><h1>the app</h1>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        fields = urllib.parse.parse_qsl(text or address.query, keep_blank_values=True, strict_parsing=True)
        App.seen.append((self.command, dict(fields), dict(self.headers)))
        self.send_response(303)
        self.send_header("Location", f"http://localhost:{self.server.server_port}/done")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        self.answer("")

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])).decode())

    def log_message(self, *arguments):
        pass


def check(holds, what):
    if not holds:
        raise SystemExit(f"issuer_pages: {what}")


class Issuer:
    def __init__(self, program, callback, folder):
        users = pathlib.Path(folder, "users.json")
        hostile = {"id": "hostile", "subject": "h", "first_name": HOSTILE, "email": HOSTILE}
        long = {"id": "long", "subject": "l", "first_name": "Long" * 50, "email": "long" * 50 + "@example.com"}
        good = {"id": "good", "subject": "g", "first_name": "Good", "last_name": "Person", "email": "good@example.com"}
        users.write_text(json.dumps({"users": [good, hostile, long]}))
        self.plain = self.start(program, callback)
        self.odd = self.start(program, callback, "--users", str(users))
        self.program = program

    def start(self, program, callback, *more):
        arguments = [program, "issuer", "--port", "0", "--client", f"{CLIENT}={callback}", *more]
        process = subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)
        self.processes = getattr(self, "processes", []) + [process]
        for line in process.stderr:
            if '"issuer_listening"' in line:
                threading.Thread(target=process.stderr.read, daemon=True).start()
                return json.loads(line)["issuer"]
        raise SystemExit("issuer_pages: the issuer does not start")

    def end(self):
        for process in self.processes:
            process.terminate()
            process.wait()


class Browser:
    def __init__(self, folder, scripts=True):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
        ]:
            options.add_argument(argument)
        if not scripts:
            setting = "profile.managed_default_content_settings.javascript"
            options.add_experimental_option("prefs", {setting: 2})
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.folder = folder
        self.size(900, 900)

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def scheme(self, name):
        feature = {"name": "prefers-color-scheme", "value": name}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})

    def open(self, url):
        self.driver.get(url)

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def wait_for(self, selector):
        """Until the page that was clicked for has come: an element that only it has."""
        WebDriverWait(self.driver, 20).until(lambda driver: driver.find_elements(By.CSS_SELECTOR, selector))

    def shot(self, name):
        self.driver.save_screenshot(str(pathlib.Path(self.folder, name + ".png")))

    def wait_for_app(self):
        WebDriverWait(self.driver, 20).until(lambda driver: driver.current_url.endswith("/done"))

    def complaints(self):
        """What the browser did not let a page do. That a page has status 400, or no icon for its tab, is no complaint."""
        known = ["favicon.ico", "status of 400"]
        messages = [entry["message"] for entry in self.driver.get_log("browser")]
        return [message for message in messages if not any(word in message for word in known)]


# The contrast of each text with what is behind it (WCAG 2.2 §1.4.3), as the browser has computed both.
CONTRAST = """
const luminance = (text) => {
  const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map(Number).map((c) => {
    const s = c / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const colour = getComputedStyle(e).backgroundColor;
    if (!colour.startsWith("rgba(") || !colour.endsWith(", 0)")) return colour;
  }
  return "rgb(255, 255, 255)";
};
return [...document.querySelectorAll("body *")].filter((e) =>
  [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim())).map((e) => {
    const [a, b] = [luminance(getComputedStyle(e).color), luminance(ground(e))].sort();
    return [e.tagName + "." + e.className, (b + 0.05) / (a + 0.05)];
  }).filter(([, ratio]) => ratio < 4.5);
"""


def question(issuer, callback, **changes):
    fields = {
        "client_id": CLIENT, "redirect_uri": callback, "response_type": "code id_token", "response_mode": "form_post",
        "scope": "name email", "state": STATE, "nonce": NONCE,
    }
    fields.update(changes)
    return issuer + "/auth/authorize?" + urllib.parse.urlencode({k: v for k, v in fields.items() if v is not None})


def redeem(issuer, callback, code):
    form = {"grant_type": "authorization_code", "code": code, "client_id": CLIENT, "redirect_uri": callback}
    with urllib.request.urlopen(issuer + "/auth/token", urllib.parse.urlencode(form).encode()) as reply:
        return json.load(reply)


def verify(issuer, token, *more):
    command = [
        issuer.program, "verify", "--provider", "oidc", "--issuer", issuer.plain, "--insecure-loopback", "--audience",
        CLIENT, "--nonce-plain", NONCE, "--format", "json", *more, "-",
    ]
    run = subprocess.run(command, input=token, capture_output=True, text=True)
    check(run.returncode == 0, f"the token is refused: {run.stdout}{run.stderr}")
    return json.loads(run.stdout)["identity"]


def signs_in(browser, issuer, callback, scripts):
    """The flow of Apple's web sign-in; without scripts it takes one more button."""
    App.seen.clear()
    browser.open(question(issuer.plain, callback))
    check(browser.find("h1").text == f"Sign in to {CLIENT}", "the title is another one")
    browser.find("button[name=user][value=relay]").click()
    if not scripts:
        browser.wait_for("button.go")
        check("Back to the app" in browser.find("h1").text, "there is no last page")
        browser.shot("back")
        browser.find("button.go").click()
    browser.wait_for_app()
    method, fields, headers = App.seen[0]
    check(method == "POST" and headers["Content-Type"] == "application/x-www-form-urlencoded", "it is no form post")
    check(headers.get("Origin") == issuer.plain, f"the origin is {headers.get('Origin')}")
    check(fields["state"] == STATE, f"the state is {fields['state']}")
    check(("user" in fields) == scripts, "the name comes the first time, and no other")
    identity = verify(issuer, fields["id_token"], "--code", fields["code"])
    check(identity["email"] == "abcdef1234@privaterelay.appleid.com" and identity["is_private_email"], "another address")
    tokens = redeem(issuer.plain, callback, fields["code"])
    verify(issuer, tokens["id_token"], "--access-token", tokens["access_token"])
    check(len(App.seen) == 1, "the app was asked more than once")


def goes_by_query(browser, issuer, callback):
    App.seen.clear()
    browser.open(question(issuer.plain, callback, response_type="code", response_mode=None, scope="openid"))
    browser.find("button[name=user][value=person]").click()
    browser.wait_for_app()
    method, fields, _ = App.seen[0]
    check(method == "GET" and sorted(fields) == ["code", "state"] and fields["state"] == STATE, "the query is wrong")


def goes_by_keyboard(browser, issuer, callback):
    App.seen.clear()
    browser.open(question(issuer.plain, callback))
    browser.find("body").send_keys(Keys.TAB)
    focused = browser.driver.switch_to.active_element
    check(focused.get_attribute("value") == "person", "the first user is not the first stop")
    check(focused.accessible_name.startswith("Test Person test.person@example.com"), focused.accessible_name)
    browser.shot("focus")
    focused.send_keys(Keys.ENTER)
    browser.wait_for_app()
    check("id_token" in App.seen[0][1], "no token came")


def cancels(browser, issuer, callback):
    App.seen.clear()
    browser.open(question(issuer.plain, callback))
    browser.find("button.cancel").click()
    browser.wait_for_app()
    check(App.seen[0][1] == {"error": "user_cancelled_authorize", "state": STATE}, f"it says {App.seen[0][1]}")


def stays_where_nobody_is_known(browser, issuer, callback):
    App.seen.clear()
    browser.open(question(issuer.plain, callback + HOSTILE))
    check("cannot go on" in browser.find("h1").text, "there is no error page")
    check(browser.driver.title.startswith("Error"), f"the title is {browser.driver.title}")
    check(not browser.driver.find_elements(By.CSS_SELECTOR, "script, img, form"), "there is an element of a stranger")
    browser.shot("error")
    check(not App.seen, "the app was asked")


def shows_odd_users(browser, issuer, callback):
    App.seen.clear()
    browser.open(question(issuer.odd, callback, state=HOSTILE))
    check(HOSTILE in browser.find("button[value=hostile]").text, "the name is not shown as it is")
    check(not browser.driver.find_elements(By.CSS_SELECTOR, "script, img"), "there is an element of a stranger")
    for width in [320, 900]:
        browser.size(width, 1100)
        wide = browser.driver.execute_script("return document.documentElement.scrollWidth")
        check(wide <= width, f"{wide} pixels are shown on {width}")
        browser.shot(f"odd-{width}")
    browser.size(900, 900)
    browser.find("button[value=hostile]").click()
    browser.wait_for_app()
    check(App.seen[0][1]["state"] == HOSTILE, "the state is another one")
    check(json.loads(App.seen[0][1]["user"])["name"]["firstName"] == HOSTILE, "the name is another one")


def looks_good(browser, issuer, callback):
    pages = {"choice": question(issuer.plain, callback), "overview": issuer.plain + "/"}
    for scheme in ["light", "dark"]:
        browser.scheme(scheme)
        for name, url in pages.items():
            browser.open(url)
            faint = browser.driver.execute_script(CONTRAST)
            check(not faint, f"{name} in {scheme} is faint: {faint}")
            check(len(browser.driver.find_elements(By.CSS_SELECTOR, "h1")) == 1, "there is not one heading")
            check(browser.find("html").get_attribute("lang") == "en", "the language is not said")
            browser.shot(f"{name}-{scheme}")
    browser.scheme("light")
    browser.open(pages["choice"])
    browser.find("summary").click()
    browser.size(320, 1000)
    browser.shot("narrow")
    browser.size(900, 900)


def main():
    program, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    callback = f"http://127.0.0.1:{server.server_port}/callback"
    with tempfile.TemporaryDirectory() as temporary:
        issuer = Issuer(program, callback, temporary)
        try:
            for scripts in [True, False]:
                browser = Browser(folder, scripts)
                try:
                    steps = [goes_by_query, goes_by_keyboard, cancels, stays_where_nobody_is_known, shows_odd_users, looks_good]
                    signs_in(browser, issuer, callback, scripts)
                    for step in steps if scripts else []:
                        step(browser, issuer, callback)
                    complaints = browser.complaints()
                    check(not complaints, f"the browser complains: {complaints}")
                finally:
                    browser.driver.quit()
        finally:
            issuer.end()
    print("the pages of the issuer: all as they should be")


main()
