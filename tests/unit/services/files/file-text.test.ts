import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { MAX_TEXT_BYTES } from '../../../../src/domain/files/resource-type.ts'
import { textOf } from '../../../../src/services/files/open-file.ts'
import { TextReader } from '../../../../src/platform/text/text-reader.ts'
import type { OpenFile } from '../../../../src/storage/open-file.ts'
import { errorLike } from '../../../helpers/unit/error-like.ts'

const opened = (size: number, parts: readonly string[]) =>
  ({
    size,
    small: () => undefined,
    stream: () => Readable.from(parts.map((part) => Buffer.from(part, 'latin1'))),
  }) as unknown as OpenFile

it('reads text whole, keeps its byte order mark, and replaces invalid bytes', async () => {
  await using texts = new TextReader()
  const file = opened(8, ['\u00ef\u00bb\u00bfa\u00e2', '\u0082\u00acb\u00ff'])
  expect(await textOf(file, texts, {})).toEqual({ content: '\ufeffa\u20acb\ufffd' })
})

it('refuses a file that became huge after it was checked', async () => {
  await using texts = new TextReader()
  await expect(textOf(opened(MAX_TEXT_BYTES + 1, ['x']), texts, {})).rejects.toThrow(errorLike('TOO_LARGE'))
})
