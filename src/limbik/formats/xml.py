"""Parse XML safely: entities are refused, depth and size are bounded, errors name the line."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from limbik.errors import BadFile

# The deepest nesting of elements; robot descriptions nest about a dozen.
DEEPEST = 200
# The most elements of a file: far above any robot, far below what would exhaust the memory.
MOST_ELEMENTS = 1_000_000


class _Found(Exception):
    """Ends parsing at the root element; carries its name."""


def root_tag(text: str, what: str) -> str:
    """Return the name of the root element without parsing the rest. Raises BadFile if there is none."""

    def start(tag: str, _: dict[str, str]) -> None:
        raise _Found(tag)

    parser = _parser(what)
    parser.StartElementHandler = start
    try:
        _parse(parser, text, what)
    except _Found as found:
        return str(found)
    raise BadFile(f"{what} contains no XML element")


def read_xml(text: str, what: str) -> Element:
    """Return the root element. Raises BadFile with the line and the reason."""
    builder = TreeBuilder()
    parser = _parser(what)
    depth = count = 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth, count = depth + 1, count + 1
        if depth > DEEPEST:
            raise BadFile(f"{what} nests more than {DEEPEST} elements in line {parser.CurrentLineNumber}")
        if count > MOST_ELEMENTS:
            raise BadFile(f"{what} has more than {MOST_ELEMENTS} elements")
        builder.start(tag, attributes)

    def end(tag: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(tag)

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    _parse(parser, text, what)
    return builder.close()


def _parser(what: str) -> expat.XMLParserType:
    """Return a parser that refuses entities. It ignores the declared encoding, since the text is decoded already."""
    parser = expat.ParserCreate("utf-8")
    parser.buffer_text = True

    def refuse_entity(name: str, *_: object) -> None:
        raise BadFile(
            f"{what} declares the entity '{name}' in line {parser.CurrentLineNumber}; entities are not supported: write its text"
        )

    parser.EntityDeclHandler = refuse_entity
    return parser


def _parse(parser: expat.XMLParserType, text: str, what: str) -> None:
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadFile(
            f"{what} is not well-formed XML: {reason} in line {error.lineno}, column {error.offset + 1}"
        ) from None
    except (UnicodeError, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"{what} is not well-formed XML: {error}") from None
