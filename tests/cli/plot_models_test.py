"""mercer plot regions, curve, components and gram."""
import unittest
import xml.etree.ElementTree as ElementTree

from mercer_cli import MercerTest


class PlotModels(MercerTest):
    def svg(self, name):
        """The picture as one text, once it is known to be XML."""
        text = (self.folder / name).read_text()
        self.assertEqual(ElementTree.fromstring(text).tag, "{http://www.w3.org/2000/svg}svg")
        return text

    def fitted(self, data, *options, name="m.mercer"):
        self.mercer("fit", data, *options, "-o", name, "--quiet")
        return name

    def test_regions_have_a_boundary_and_support_vectors(self):
        data = self.moons()
        model = self.fitted(data, "--method", "svm", "--kernel", "rbf(gamma=1)", "--C", 1)
        self.assertIn("regions.svg", self.mercer("plot", "regions", model, data))
        supports = self.json("inspect", model)["support_vectors"]
        self.assertIn(f">support vector ({supports})<", self.svg("regions.svg"))
        answer = self.json("plot", "regions", model, data, "-o", "r.svg", "--title", "<ours>")
        self.assertEqual((answer["kind"], answer["file"], answer["rows"]), ("regions", "r.svg", 100))
        self.assertIn("&lt;ours&gt;", self.svg("r.svg"))

    def test_regions_of_chosen_columns_and_components(self):
        self.mercer("generate", "blobs", "--dim", 4, "-n", 60, "-o", "b.csv", "--quiet")
        model = self.fitted("b.csv", "--method", "svm", "--kernel", "rbf(gamma=0.1)")
        self.mercer("plot", "regions", model, "b.csv", "--columns", "x3,1", "-o", "c.svg")
        self.assertIn("a slice along x3 and x1; the other 2 columns", self.svg("c.svg"))
        self.mercer("plot", "regions", model, "b.csv", "--projection", "components", "-o", "k.svg")
        self.assertIn("component 1 (", self.svg("k.svg"))
        self.assertIn("did you mean", self.refused(2, "plot", "regions", model, "b.csv", "--columns", "x11,x2"))
        self.assertIn("choose from columns, components", self.refused(2, "plot", "regions", model, "b.csv", "--projection", "x"))

    def test_a_categorical_column_is_held_at_its_most_frequent_value(self):
        rows = "\n".join(f"{i % 7},{'red' if i % 3 else 'blue'},{i % 5},{'a' if i % 7 > 3 else 'b'}" for i in range(40))
        data = self.file("t.csv", "size,colour,age,class\n" + rows + "\n")
        model = self.fitted(data, "--method", "svm", "--kernel", "rbf(gamma=0.1)", "--target", "class")
        self.mercer("plot", "regions", model, data, "-o", "t.svg")
        self.assertIn("a slice along size and age", self.svg("t.svg"))

    def test_curves_of_one_and_of_several_models(self):
        self.mercer("generate", "sine", "-n", 40, "-o", "s.csv", "--quiet")
        gp = self.fitted("s.csv", "--method", "gp", "--kernel", "rbf(gamma=1)", name="gp.mercer")
        self.mercer("plot", "curve", gp, "s.csv")
        self.assertIn("2σ of the function", self.svg("curve.svg"))
        models = [self.fitted("s.csv", "--method", "quantile", "--kernel", "rbf(gamma=1)", "--tau", q, name=f"q{q}.mercer") for q in (0.5, 0.1, 0.9)]
        answer = self.json("plot", "curve", models[0], "s.csv", "--with", *models[1:], "-o", "q.svg")
        self.assertEqual(answer["models"], 3)
        self.assertIn("between quantiles: 80 % of the targets", self.svg("q.svg"))
        classifier = self.fitted(self.moons(), "--method", "svm", "--kernel", "rbf(gamma=1)")
        self.assertIn("draw its regions", self.refused(2, "plot", "curve", classifier, "moons.csv"))

    def test_components_and_gram_of_a_kernel(self):
        data = self.moons(50)
        self.mercer("plot", "components", data, "--kernel", "rbf(gamma=1)")
        self.assertIn("% of the variance", self.svg("components.svg"))
        answer = self.json("plot", "gram", data, "--kernel", "rbf(gamma=scale)", "-o", "g.svg")
        self.assertNotIn("auto", answer["kernel"])
        self.mercer("gram", data, "--kernel", "rbf(gamma=1)", "--plot", "a.svg")
        self.mercer("plot", "gram", data, "--kernel", "rbf(gamma=1)", "-o", "b.svg")
        self.assertEqual(self.svg("a.svg"), self.svg("b.svg"))

    def test_nothing_is_written_where_something_is_wrong(self):
        data = self.moons()
        model = self.fitted(data, "--method", "svm", "--kernel", "rbf(gamma=1)")
        self.file("wide.csv", "x1,x2,x3,y\n1,2,3,0\n")
        self.refused(3, "plot", "regions", "no.mercer", data)
        self.refused(3, "plot", "components", "no.csv", "--kernel", "linear")
        self.refused(2, "plot", "gram", data, "--kernel", "rbff")
        self.refused(2, "plot", "gram", data, "--kernel", "linear", "-o", "g.png")
        self.file("one.csv", "x1,x2,y\n1,2,0\n")
        self.assertIn("at least two rows", self.refused(3, "plot", "components", "one.csv", "--kernel", "linear"))
        self.mercer("plot", "regions", model, "one.csv", "-o", "one.svg")
        self.svg("one.svg")
        self.assertEqual(sorted(path.name for path in self.folder.glob("*.svg")), ["one.svg"])


if __name__ == "__main__":
    unittest.main()
