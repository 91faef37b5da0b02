"""well_formed.py PAGE: every element of an HTML page nests and is closed."""
import html.parser
import sys

ALONE = {"meta"}


class Nested(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            sys.exit("%s ends at line %d, column %d" % (tag, *self.getpos()))


page = Nested()
page.feed(open(sys.argv[1]).read())
page.close()
if page.open:
    sys.exit("not closed: " + " ".join(page.open))
