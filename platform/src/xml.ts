import { withoutControls } from '@kinora/contract/xml.ts'
import { XMLBuilder } from 'fast-xml-parser'

/** An element: attributes begin with `@`, `#text` is its text, a list is several elements, undefined is none. */
export interface XmlElement {
  [name: string]: XmlValue
}
type XmlValue = string | number | undefined | XmlElement | readonly XmlElement[]

const cleaned = (_name: string, value: unknown) => withoutControls(String(value))

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  ignoreAttributes: false,
  suppressEmptyNode: true,
  suppressBooleanAttributes: false,
  tagValueProcessor: cleaned,
  attributeValueProcessor: cleaned,
})

/** An XML document. Every text and attribute may have any characters. */
export const xmlDocument = (root: XmlElement): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build(root)}\n`
