import { zipOf } from './epub.ts'

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'

/** A file of relationships: their ids, kinds and targets. An address leads out of the document. */
function relations(entries: readonly (readonly [id: string, kind: string, target: string])[]): string {
  const lines = entries.map(
    ([id, kind, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"${/^\w+:/.test(target) ? ' TargetMode="External"' : ''}/>`,
  )
  return `<Relationships xmlns="${RELATIONS}">${lines.join('')}</Relationships>`
}

const CONTENT_TYPES = `<Types xmlns="${TYPES}"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>`

/** A Word document whose body is this XML. Relationship "out" of the body is a link. */
export function docxOf(body: string, link = 'https://example.org/', more: Readonly<Record<string, Uint8Array>> = {}) {
  return zipOf({
    '[Content_Types].xml': CONTENT_TYPES,
    '_rels/.rels': relations([['r1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}"><w:body>${body}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440"/></w:sectPr></w:body></w:document>`,
    'word/_rels/document.xml.rels': relations([
      ['out', 'hyperlink', link],
      ['chunk', 'aFChunk', 'chunk.html'],
    ]),
    ...more,
  })
}

/** A presentation of slides with a title and lines, and this picture on each. */
export function pptxOf(
  slides: readonly (readonly [title: string, ...lines: readonly string[]])[],
  picture: Uint8Array,
) {
  const namespaces = `xmlns:a="${DRAWING}" xmlns:r="${OFFICE}" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"`
  const place = (x: number, y: number, cx: number, cy: number) =>
    `<a:xfrm><a:off x="${x}" y="${y}"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm>`
  const shape = (holder: string, properties: string, paragraphs: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:cNvSpPr/><p:nvPr>${holder}</p:nvPr></p:nvSpPr><p:spPr>${properties}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/>${paragraphs}</p:txBody></p:sp>`
  const paragraph = (text: string) => `<a:p><a:r><a:rPr lang="en"/><a:t>${text}</a:t></a:r></a:p>`
  const tree = (shapes: string) => `<p:cSld><p:spTree><p:nvGrpSpPr/><p:grpSpPr/>${shapes}</p:spTree></p:cSld>`
  const slide = ([title, ...lines]: readonly string[]) =>
    `<p:sld ${namespaces}>${tree(
      `${shape('<p:ph type="title"/>', '', paragraph(title ?? ''))}${shape('<p:ph idx="1"/>', '', lines.map(paragraph).join(''))}<p:pic><p:nvPicPr><p:cNvPr id="4" name="p" descr="A dot"/></p:nvPicPr><p:blipFill><a:blip r:embed="r2"/></p:blipFill><p:spPr>${place(8_000_000, 4_500_000, 900_000, 900_000)}</p:spPr></p:pic>`,
    )}</p:sld>`
  const holders =
    shape('<p:ph type="title"/>', place(457_200, 274_638, 8_229_600, 1_143_000), paragraph('Click')) +
    shape('<p:ph type="body" idx="1"/>', place(457_200, 1_600_200, 7_000_000, 3_000_000), paragraph('Click'))
  const numbered = slides.map((each, index) => [index + 1, each] as const)
  return zipOf({
    '[Content_Types].xml': CONTENT_TYPES,
    'ppt/presentation.xml': `<p:presentation ${namespaces}><p:sldIdLst>${numbered.map(([number]) => `<p:sldId id="${255 + number}" r:id="s${number}"/>`).join('')}</p:sldIdLst><p:sldSz cx="9144000" cy="5143500"/></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(
      numbered.map(([number]) => [`s${number}`, 'slide', `slides/slide${number}.xml`]),
    ),
    'ppt/slideLayouts/layout.xml': `<p:sldLayout ${namespaces}>${tree(holders)}</p:sldLayout>`,
    'ppt/slideLayouts/_rels/layout.xml.rels': relations([['r1', 'slideMaster', '../slideMasters/master.xml']]),
    'ppt/slideMasters/master.xml': `<p:sldMaster ${namespaces}><p:cSld><p:bg><p:bgPr><a:solidFill><a:schemeClr val="bg2"/></a:solidFill></p:bgPr></p:bg><p:spTree>${holders}</p:spTree></p:cSld><p:txStyles><p:titleStyle><a:lvl1pPr algn="ctr"><a:defRPr sz="4400"><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></a:defRPr></a:lvl1pPr></p:titleStyle><p:bodyStyle><a:lvl1pPr><a:buChar char="•"/><a:defRPr sz="2800"/></a:lvl1pPr></p:bodyStyle></p:txStyles></p:sldMaster>`,
    'ppt/slideMasters/_rels/master.xml.rels': relations([['r1', 'theme', '../theme/theme.xml']]),
    'ppt/theme/theme.xml': `<a:theme xmlns:a="${DRAWING}"><a:themeElements><a:clrScheme name="x"><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:srgbClr val="FFFFFF"/></a:lt1><a:lt2><a:srgbClr val="EEF4FF"/></a:lt2><a:accent1><a:srgbClr val="1F4E99"/></a:accent1></a:clrScheme></a:themeElements></a:theme>`,
    'ppt/media/dot.png': picture,
    ...Object.fromEntries(numbered.map(([number, each]) => [`ppt/slides/slide${number}.xml`, slide(each)])),
    ...Object.fromEntries(
      numbered.map(([number]) => [
        `ppt/slides/_rels/slide${number}.xml.rels`,
        relations([
          ['r1', 'slideLayout', '../slideLayouts/layout.xml'],
          ['r2', 'image', '../media/dot.png'],
        ]),
      ]),
    ),
  })
}

const OPEN_DOCUMENT = ['office', 'text', 'table', 'style', 'draw', 'manifest']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
  )
  .join(' ')

/** An OpenDocument text with these automatic styles and this body, and a picture "Pictures/dot.png". */
export function odtOf(styles: string, body: string, picture: Uint8Array) {
  return zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<office:document-content ${OPEN_DOCUMENT}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    'META-INF/manifest.xml': `<manifest:manifest ${OPEN_DOCUMENT}/>`,
    'Pictures/dot.png': picture,
  })
}

/** A workbook: the cells of its sheets, all of them texts. */
export function xlsxOf(sheets: Readonly<Record<string, readonly (readonly string[])[]>>) {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const names = Object.keys(sheets)
  const row = (cells: readonly string[], index: number) =>
    `<row r="${index + 1}">${cells.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`
  return zipOf({
    '[Content_Types].xml': `<Types xmlns="${TYPES}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>${names.map((_, index) => `<Override PartName="/xl/worksheets/sheet${index}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': relations([['r1', 'officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="s${index}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations(
      names.map((_, index) => [`s${index}`, 'worksheet', `worksheets/sheet${index}.xml`]),
    ),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/worksheets/sheet${index}.xml`,
        `<worksheet xmlns="${main}"><dimension ref="A1:XFD1048576"/><sheetData>${rows.map(row).join('')}</sheetData></worksheet>`,
      ]),
    ),
  })
}
