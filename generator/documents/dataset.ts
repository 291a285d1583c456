/**
 * `/.well-known/void`: describes the SKOS files of a release as a dataset (VoID, W3C 2011; DCAT 3):
 * their contents, addresses and digests.
 */
import { paths } from "../../runtime/contract/paths.ts";
import { DATASET_PATH, SKOS_JSONLD_PATH, SKOS_TURTLE_PATH } from "../../runtime/contract/added-resources.ts";
import { sha256 } from "../../runtime/http/digest.ts";
import { formatText } from "../skos/rdf-line.ts";
import { spdxAddress } from "../skos/spdx.ts";
import { PREFIXES } from "../skos/terms.ts";
import { checkpointOf, urlOf, type View } from "../view/view.ts";
import type { SkosFiles } from "./skos-files.ts";

const NAMESPACES = {
  dcat: "http://www.w3.org/ns/dcat#",
  dcterms: PREFIXES.dcterms,
  foaf: "http://xmlns.com/foaf/0.1/",
  skos: PREFIXES.skos,
  spdx: "http://spdx.org/rdf/terms#",
  void: "http://rdfs.org/ns/void#",
  xsd: PREFIXES.xsd,
};
const MEDIA_TYPES = "https://www.iana.org/assignments/media-types";

/** The dataset has the same address as the list of concepts, like the scheme in the files. */
export function printDataset(view: View, { turtle, jsonld, triples }: SkosFiles): string {
  const { name, license, registryVersion, concepts, retired } = view.registry;
  const address = (path: string): string => `<${urlOf(view, path)}>`;
  const { scope } = view.about;
  const checkpoint = checkpointOf(view);
  const licensed = license === undefined ? [] : [`dcterms:license ${licenseOf(license)}`];
  const files = [
    { path: SKOS_TURTLE_PATH, type: "text/turtle", bytes: turtle },
    { path: SKOS_JSONLD_PATH, type: "application/ld+json", bytes: jsonld },
  ];
  const dataset = [
    "a void:Dataset, dcat:Dataset",
    `dcterms:title ${formatText(name)}`,
    ...(scope === "" ? [] : [`dcterms:description ${formatText(scope)}`]),
    ...licensed,
    `dcat:version ${formatText(registryVersion)}`,
    ...(checkpoint === undefined ? [] : [`dcterms:provenance <${checkpoint}>`]),
    `dcat:landingPage ${address(paths.conceptPages)}`,
    ...concepts.first(1).map(({ code }) => `void:exampleResource ${address(`${paths.concepts}/${code}`)}`),
    `void:vocabulary <${PREFIXES.skos}>`,
    `void:triples ${triples}`,
    `void:classPartition [ void:class skos:Concept ; void:entities ${concepts.length + retired.length} ]`,
    `void:dataDump ${files.map(({ path }) => address(path)).join(", ")}`,
    ...files.map(({ path, type, bytes }) => {
      const facts = [
        "a dcat:Distribution",
        `dcat:downloadURL ${address(path)}`,
        `dcat:mediaType <${MEDIA_TYPES}/${type}>`,
        `dcat:byteSize "${bytes.length}"^^xsd:nonNegativeInteger`,
        ...licensed,
        `spdx:checksum [ a spdx:Checksum ; spdx:algorithm spdx:checksumAlgorithm_sha256 ; spdx:checksumValue "${sha256(bytes)}"^^xsd:hexBinary ]`,
      ];
      return `dcat:distribution [\n        ${facts.join(" ;\n        ")}\n    ]`;
    }),
  ];
  return [
    ...Object.entries(NAMESPACES).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .\n`),
    `\n${address(DATASET_PATH)} a void:DatasetDescription ; foaf:primaryTopic ${address(paths.concepts)} .\n`,
    `\n${address(paths.concepts)}\n    ${dataset.join(" ;\n    ")} .\n`,
  ].join("");
}

function licenseOf(license: string): string {
  const address = spdxAddress(license);
  return address === undefined ? formatText(license) : `<${address}>`;
}
