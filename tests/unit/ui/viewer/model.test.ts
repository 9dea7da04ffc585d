import { describe, expect, it } from 'vitest'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import type { ResourceType } from '../../../../src/domain/files/resource-type.ts'
import { histogramOf } from '../../../../ui/src/viewer/details/histogram.tsx'
import { createFormat } from '../../../../ui/src/lib/format.ts'
import { exposureText } from '../../../../ui/src/files/actions/prompts/details/picture-facts.tsx'
import { neighboursOf, successorOf } from '../../../../ui/src/viewer/file/neighbours.ts'
import { createResumePositions } from '../../../../ui/src/viewer/file/resume-positions.ts'
import { viewKindOf } from '../../../../ui/src/viewer/file/view-kind.ts'
import { linesOf, MAX_LINE_LENGTH } from '../../../../ui/src/viewer/text/text-stage.tsx'

function entry(name: string, type: ResourceType = 'text', isDir = false): Resource {
  return {
    name,
    type,
    isDir,
    path: `/${name}`,
    size: 1,
    extension: '',
    modified: '2026-01-01T00:00:00Z',
    mode: 0,
    isSymlink: false,
  }
}

describe('the kind of view', () => {
  it.each([
    ['a.jpg', 'image', 'image'],
    ['a.tiff', 'image', 'image'],
    ['a.HEIC', 'image', 'image'],
    ['a.heif', 'image', 'image'],
    ['a.CR2', 'image', 'image'],
    ['a.dng', 'blob', 'image'],
    ['a.psd', 'image', 'none'],
    ['a.mkv', 'video', 'video'],
    ['a.csv', 'text', 'table'],
    ['a.csv', 'blob', 'table'],
    ['a.epub', 'blob', 'epub'],
    ['README.md', 'textImmutable', 'markdown'],
    ['huge.markdown', 'blob', 'none'],
    ['a.txt', 'text', 'text'],
    ['a.DOCX', 'blob', 'document'],
    ['a.odt', 'blob', 'document'],
    ['a.xls', 'blob', 'sheets'],
    ['a.ods', 'blob', 'sheets'],
    ['a.exe', 'blob', 'none'],
  ] as const)('depends on name and type: %s, %s', (name, type, kind) => {
    expect(viewKindOf(entry(name, type))).toBe(kind)
  })
})

describe('the neighbours of a file', () => {
  const entries = [
    entry('folder', '', true),
    entry('a.txt'),
    entry('b.exe', 'blob'),
    entry('c.pdf', 'pdf'),
    entry('dead', 'invalid_link'),
    entry('d.mp4', 'video'),
  ]

  it('are the viewable files in the order of the folder', () => {
    const middle = neighboursOf(entries, 'c.pdf')
    expect([middle.previous?.name, middle.next?.name, middle.position, middle.total]).toEqual(['a.txt', 'd.mp4', 2, 3])
    expect(neighboursOf(entries, 'a.txt').previous).toBeNull()
    expect(neighboursOf(entries, 'd.mp4').next).toBeNull()
  })

  it('exist for a file that cannot be shown', () => {
    const { previous, next, position } = neighboursOf(entries, 'b.exe')
    expect([previous?.name, next?.name, position]).toEqual(['a.txt', 'c.pdf', 0])
  })

  it('are missing for a file that is not in the folder', () => {
    expect(neighboursOf(entries, 'gone.txt')).toMatchObject({ previous: null, next: null, position: 0 })
  })

  it('replace a file that is gone: the next, else the previous, else none', () => {
    const without = (...names: string[]) => entries.filter(({ name }) => !names.includes(name))
    expect(successorOf(entries, without('c.pdf'), 'c.pdf')?.name).toBe('d.mp4')
    expect(successorOf(entries, without('d.mp4'), 'd.mp4')?.name).toBe('c.pdf')
    expect(successorOf(entries, without('c.pdf', 'd.mp4'), 'c.pdf')?.name).toBe('a.txt')
    expect(successorOf([entry('a.txt')], [], 'a.txt')).toBeNull()
  })
})

describe('the lines of a text', () => {
  it('end in LF, CRLF or CR', () => {
    expect(linesOf('a\nb\r\nc\rd').map(({ shown }) => shown)).toEqual(['a', 'b', 'c', 'd'])
    expect(linesOf('')).toEqual([{ start: 0, length: 0, shown: '' }])
    expect(linesOf('a\n')).toHaveLength(2)
  })

  it('are cut when they are too long', () => {
    const [first, second] = linesOf(`${'x'.repeat(MAX_LINE_LENGTH + 5)}\ny`)
    expect(first).toMatchObject({ start: 0, length: MAX_LINE_LENGTH + 5 })
    expect(first?.shown).toHaveLength(MAX_LINE_LENGTH)
    expect(second).toMatchObject({ start: MAX_LINE_LENGTH + 6, shown: 'y' })
  })
})

describe('the resume positions of videos and books', () => {
  const storageOf = (text: string | null = null) => ({
    text,
    getItem() {
      return this.text
    },
    setItem(_key: string, value: string) {
      this.text = value
    },
  })

  it('are kept for the last two hundred files', () => {
    const positions = createResumePositions(storageOf())
    for (let file = 0; file < 250; file += 1) positions.set(`f${file}`, String(file))
    positions.set('f249', 'again')
    positions.delete('f248')
    expect([positions.get('f249'), positions.get('f248'), positions.get('f60'), positions.get('f10')]).toEqual([
      'again',
      undefined,
      '60',
      undefined,
    ])
  })

  it.each(['not json', '{"a":1}', '[["a"],7]'])('ignore stored data of another shape: %s', (text) => {
    const positions = createResumePositions(storageOf(text))
    expect(positions.get('a')).toBeUndefined()
    positions.set('a', '1')
    expect(positions.get('a')).toBe('1')
  })
})

describe('the details of a picture', () => {
  it('write an exposure like photographers do', () => {
    const { number } = createFormat('de')
    expect([1 / 125, 0.5, 2, 0].map((seconds) => exposureText(seconds, number))).toEqual(['1/125', '0,5', '2', '0'])
  })

  it('count brightness from dark to light without transparent pixels', () => {
    const steps = histogramOf([0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 255, 9, 9, 9, 0])
    expect([steps[0], steps.at(-1), steps[1]]).toEqual([1, 0.5, 0])
  })
})
