"""XML without the dangerous parts: entities are refused, depth and size are bounded, errors name the line."""

from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from limbik.errors import BadFile

# Elements inside one another: descriptions of robots nest a dozen deep.
DEEPEST = 200
# Elements in all: far above any robot, far below what would take memory.
MOST_ELEMENTS = 1_000_000


def read_xml(text: str, what: str) -> Element:
    """Return the root element. Raises BadFile with the line and the reason."""
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    depth = count = 0

    def refuse_entity(name: str, *_: object) -> None:
        raise BadFile(
            f"{what} declares the entity '{name}' in line {parser.CurrentLineNumber}; entities are not read: write the text out"
        )

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

    parser.EntityDeclHandler = refuse_entity
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
        return builder.close()
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        raise BadFile(
            f"{what} is not well-formed XML: {reason} in line {error.lineno}, column {error.offset + 1}"
        ) from None
    except (UnicodeError, ValueError) as error:
        if isinstance(error, BadFile):
            raise
        raise BadFile(f"{what} is not well-formed XML: {error}") from None
