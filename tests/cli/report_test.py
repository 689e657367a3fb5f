"""fit --report: the page, and what a real browser makes of it."""
import random
import re
import unittest

import browser
from mercer_cli import MercerTest

# Of every picture and every word in it: whether it has a place on the page. Of the page: whether it is wider than its window.
MEASURE = """(() => {
  const box = e => { const b = e.getBoundingClientRect(); return [b.width, b.height]; };
  const svgs = [...document.querySelectorAll('figure svg')];
  const letters = s => Math.min(...[...s.querySelectorAll('text')].map(t => parseFloat(getComputedStyle(t).fontSize) * s.getBoundingClientRect().width / s.viewBox.baseVal.width));
  return {
    pictures: svgs.map(box),
    empty: svgs.filter(s => ![...s.querySelectorAll('path,rect,text')].some(e => { const b = e.getBoundingClientRect(); return b.width > 20 || b.height > 20; })).length,
    letters: Math.min(...svgs.map(letters)),
    text: Math.min(...[...document.querySelectorAll('p,li,td,th,figcaption,dt,a,pre')].map(e => parseFloat(getComputedStyle(e).fontSize))),
    outside: [...document.querySelectorAll('p,h1,h2,h3,li,figure,.scroll,dl,pre')].filter(e => { const b = e.getBoundingClientRect(); return b.left < -1 || b.right > innerWidth + 1; }).length,
    captions: [...document.querySelectorAll('figcaption')].map(box),
    scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth,
    ids: [...document.querySelectorAll('[id]')].map(e => e.id),
    page: getComputedStyle(document.body).backgroundColor, ink: getComputedStyle(document.body).color,
    quirks: document.compatMode
  };
})()"""


def luminance(colour):
    parts = [int(x) / 255 for x in re.findall(r"\d+", colour)[:3]]
    r, g, b = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


class ReportTest(MercerTest):
    def table(self, name, target):
        """Rows of four columns: two classes, three classes or numbers to predict."""
        draw = random.Random(5)
        lines = ["home & garden,length <cm>,weight,born,target"]
        for i in range(150):
            home, length, weight = draw.choice(["cage", "garden", "<b>barn</b>"]), draw.gauss(10, 3), draw.gauss(5, 2)
            y = target(home, length, weight, draw.gauss(0, 0.2))
            lines.append(f"{home},{length:.3f},{weight:.3f},20{draw.randint(10, 23)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)},{y}")
        return self.file(name, "\n".join(lines) + "\n")

    def two_classes(self):
        return self.table("two.csv", lambda home, length, weight, noise: "yes" if (length - 10) ** 2 / 9 + (weight - 5) ** 2 / 4 < 1.2 + noise else "no")

    def three_classes(self):
        return self.table("three.csv", lambda home, length, weight, noise: ["small", "middle", "large & <heavy>"][int(length + weight + noise > 13) + int(length + weight + noise > 17)])

    def numbers(self):
        return self.table("numbers.csv", lambda home, length, weight, noise: f"{(length - 10) ** 2 / 9 + weight * (home == 'cage') + noise:.4f}")

    def report(self, table, *options):
        self.json("fit", table, "--target", "target", "--report", "r.html", "--threads", 1, *options)
        return (self.folder / "r.html").read_text()


class Reports(ReportTest):
    def test_the_page_says_what_was_learned(self):
        answer = self.json("fit", self.two_classes(), "--target", "target", "--report", "r.html", "-o", "m.mercer")
        page = (self.folder / "r.html").read_text()
        self.assertIn(f"{100 * answer['score']['value']:.1f} %", page)
        self.assertIn(f"{100 * answer['baseline']['value']:.1f} %", page)
        self.assertIn("mercer fit two.csv --target target --report r.html", page)
        self.assertIn("home &amp; garden", page)
        self.assertNotIn("<b>", page)
        self.assertEqual(page.count("http"), page.count('xmlns="http://www.w3.org/2000/svg"'))
        self.assertLess(len(page.encode()), 2_000_000)

    def test_the_same_command_gives_the_same_page(self):
        table = self.numbers()
        one = self.report(table)
        no_times = lambda page: re.sub(r"[\d.e−-]+ s\b", "", page)
        self.assertEqual(no_times(one), no_times(self.report(table)))

    def test_a_folder_that_is_not_there_is_refused(self):
        message = self.refused(3, "fit", self.two_classes(), "--target", "target", "--report", "nowhere/r.html")
        self.assertIn("nowhere/r.html", message)


@unittest.skipUnless(browser.CHROMIUM, "there is no browser to open the page with (package chromium)")
class InABrowser(ReportTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = browser.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def check(self, pictures):
        path = self.folder / "r.html"
        for width in (1200, 390):
            for dark in (False, True):
                with self.subTest(width=width, dark=dark):
                    self.browser.open(path, width, dark=dark)
                    seen = self.browser.evaluate(MEASURE)
                    self.assertEqual(self.browser.complaints, [])
                    self.assertEqual(len(self.browser.requests), 1, self.browser.requests)
                    self.assertEqual(seen["quirks"], "CSS1Compat")
                    self.assertEqual(len(seen["pictures"]), pictures)
                    for box in seen["pictures"] + seen["captions"]:
                        self.assertGreater(min(box), 20)
                    self.assertEqual(seen["empty"], 0)
                    self.assertLessEqual(seen["scroll"], seen["client"])
                    self.assertEqual(seen["client"], width)
                    self.assertEqual(seen["outside"], 0)
                    self.assertGreaterEqual(seen["text"], 12)
                    self.assertGreaterEqual(seen["letters"], 8)
                    self.assertEqual(len(seen["ids"]), len(set(seen["ids"])))
                    lights = sorted((luminance(seen["page"]), luminance(seen["ink"])))
                    self.assertGreater((lights[1] + 0.05) / (lights[0] + 0.05), 7)
                    self.assertEqual(luminance(seen["page"]) < 0.5, dark)

    def test_two_classes(self):
        self.report(self.two_classes(), "--proba")
        self.check(9)

    def test_three_classes(self):
        self.report(self.three_classes())
        self.check(8)

    def test_numbers(self):
        self.report(self.numbers())
        self.check(7)


if __name__ == "__main__":
    unittest.main()
