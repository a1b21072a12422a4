"""What public sources say that the vendor's SDK lacks, of translator/mappings/vendor.yml: records get `vendor_absent` of it, the
source, and the support matrix a note."""
import records

_NOTES = {"absent": "not in the vendor's SDK", "limited": "limited in the vendor's SDK", "unproven": "in no public source of the vendor's SDK"}
# Whose prototypes must not stand in the way of a project's own declarations.
_LIBRARIES = ("musa", "musart")


def load(path, api):
    """{name: note}, and `vendor_absent` in the records of what is not there."""
    gaps = records.read_yaml(path)["gaps"]
    named = {name: gap for gap in gaps for name in gap.get("names", []) if gap["says"] in _NOTES}
    for record in api.functions:
        gap = named.get(record["name"])
        if gap is not None and gap["says"] == "absent" and record["library"] in _LIBRARIES:
            record["vendor_absent"] = gap["source"]
    return {name: f"{_NOTES[gap['says']]} ({gap['id']})" for name, gap in named.items()}
