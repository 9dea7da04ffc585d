import { describe, expect, it } from 'vitest'
import { isOldOffice, openArchive, unpackedArchive } from '../../../../ui/src/viewer/document/safe-archive.ts'
import { readSheets } from '../../../../ui/src/viewer/table/sheets.ts'
import { zipOf } from '../../../helpers/samples/epub.ts'
import { xlsxOf } from '../../../helpers/samples/office.ts'
import { zipFile } from '../../../helpers/samples/zip-file.ts'

const blobOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const text = new TextDecoder()

describe('the archive of a document', () => {
  it('is unpacked as a whole, and stays an archive with the same files', async () => {
    const files = { 'word/document.xml': 'text '.repeat(5000), 'ümlaut.xml': 'x', empty: '' }
    const unpacked = await unpackedArchive(await openArchive(blobOf(zipOf(files))))
    const bytes = Buffer.from(await unpacked.arrayBuffer())
    expect(bytes.includes('text '.repeat(5000))).toBe(true)
    const again = await openArchive(unpacked)
    for (const [name, content] of Object.entries(files)) expect(await again.text(name)).toBe(content)
  })

  it('is not opened with a password, in the containers of either kind', async () => {
    const manifest = '<manifest><file-entry><encryption-data/></file-entry></manifest>'
    for (const document of [OLD_OFFICE, zipOf({ 'META-INF/manifest.xml': manifest })])
      await expect(openArchive(blobOf(document))).rejects.toMatchObject({ reason: 'viewer.locked' })
    expect(await isOldOffice(blobOf(OLD_OFFICE))).toBe(true)
    await expect(openArchive(blobOf(Buffer.from('no zip')))).rejects.not.toHaveProperty('reason')
  })

  it('is not unpacked if it is a bomb: in one file, in many, or in one that lies', async () => {
    const large = Buffer.alloc(33 * 1024 * 1024)
    const part = Buffer.alloc(31 * 1024 * 1024)
    const bombs = [
      zipFile([{ name: 'a', content: large }]),
      zipFile([{ name: 'a', content: large, size: 10 }]),
      zipFile(['a', 'b', 'c', 'd'].map((name) => ({ name, content: part }))),
    ]
    for (const bomb of bombs) {
      const zip = await openArchive(blobOf(bomb))
      await expect(unpackedArchive(zip)).rejects.toThrow(/too ?large/i)
    }
  })
})

describe('a workbook', () => {
  it('is read sheet by sheet, without the billions of cells that it claims to have', async () => {
    const book = xlsxOf({
      People: [
        ['name', 'note'],
        ['Ada', 'says "hi", twice'],
      ],
      'Öl & Co': [['1']].slice(0, 0),
    })
    const sheets = readSheets(book)
    expect(sheets.map(({ name, table }) => [name, text.decode(table)])).toEqual([
      ['People', 'name,note\nAda,"says ""hi"", twice"'],
      ['Öl & Co', ''],
    ])
  })

  it('is refused if it is none', () => {
    expect(() => readSheets(Buffer.from('PK\x03\x04 no zip'))).toThrow()
  })
})
