import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { multipartRanges } from '../../../../src/http/send/ranges.ts'

it('frames each part and knows its length beforehand', async () => {
  const bytes = Buffer.from('Hello, world!\n')
  const file = {
    size: bytes.length,
    stream: (start: number, end: number) => Readable.from([bytes.subarray(start, end + 1)]),
  }
  const ranges = [
    { start: 0, end: 1 },
    { start: 4, end: 5 },
  ]
  const { type, length, body } = multipartRanges(file, ranges, 'text/plain', 'edge')
  const sent = await text(body)
  expect(type).toBe('multipart/byteranges; boundary=edge')
  expect(sent).toBe(
    '--edge\r\nContent-Range: bytes 0-1/14\r\nContent-Type: text/plain\r\n\r\nHe\r\n' +
      '--edge\r\nContent-Range: bytes 4-5/14\r\nContent-Type: text/plain\r\n\r\no,\r\n--edge--\r\n',
  )
  expect(Buffer.byteLength(sent)).toBe(length)
})
