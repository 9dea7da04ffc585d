import { describe, expect, it } from 'vitest'
import { FilemgrError } from '../../../src/domain/errors.ts'
import { diskStalled } from '../../../src/platform/limits/disk-wait.ts'
import { refusalIn } from '../../../src/platform/files/disk-refusal.ts'
import { readWaiting } from '../../../src/storage/local/read/send-file.ts'
import { translateError } from '../../../src/storage/local/system/os-error.ts'
import { namedFailure, namingScope } from '../../../src/storage/naming-scope.ts'
import type { Scope } from '../../../src/storage/storage.ts'
import { path } from '../../contract/storage/view.ts'

const CALLED = 'the root "USB"'

function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: fault, read`), { code })
}

it.each(['EIO', 'ENOTCONN', 'ESTALE', 'ENODEV', 'ENXIO', 'EHOSTDOWN'])('%s is a disk that is away', (code) => {
  const error = translateError(systemError(code), '/a.txt', '/mnt/usb/a.txt')
  expect(error).toMatchObject({ code: 'UNAVAILABLE', message: `the disk fails (${code}): check it` })
  // The log says where.
  expect(refusalIn(error)?.message).toBe(`${code}: read /mnt/usb/a.txt`)
  expect(namedFailure(error, CALLED)).toMatchObject({
    code: 'UNAVAILABLE',
    message: `the root "USB" is away: the disk fails (${code}): check it`,
    details: { retryAfter: 10 },
  })
})

it('a read from a file that is open fails as any other call to the disk', async () => {
  const reading = readWaiting(async () => await Promise.reject(systemError('EIO')))
  await expect(reading).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

describe('each door of a scope', () => {
  it.each([
    [translateError(systemError('EIO'), '/'), 'the root "USB" is away: the disk fails (EIO): check it'],
    [diskStalled(), 'the disk of the root "USB" does not respond: try again in a moment'],
    [new FilemgrError('UNAVAILABLE', 'the S3 server sleeps'), 'the root "USB" is away: the S3 server sleeps'],
    [new FilemgrError('UNAVAILABLE', `${CALLED} was replaced`), 'the root "USB" was replaced'],
    [new FilemgrError('NOT_FOUND', 'nothing is there'), 'nothing is there'],
    [new FilemgrError('BUSY', 'too many files are open'), 'too many files are open'],
  ])('says which disk has failed', async (error, message) => {
    const failing = async (): Promise<never> => {
      await Promise.resolve()
      throw error
    }
    async function* broken(): AsyncGenerator<never, void, void> {
      yield await failing()
    }
    const part = { put: failing, append: failing }
    const bad = { head: failing, small: failing, send: failing, stream: failing }
    const scope = namingScope(
      {
        stat: failing,
        write: failing,
        copy: failing,
        walk: broken,
        trash: part,
        staging: part,
        listing: async () => await Promise.resolve(broken()),
        open: async () => await Promise.resolve(bad),
        archive: async () => await Promise.resolve({ parts: broken }),
        stageFolder: async () => await Promise.resolve({ write: failing }),
        within: async () => await Promise.resolve({ stat: failing }),
      } as unknown as Scope,
      () => CALLED,
    )
    const loose = scope as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>
    const inside = async (door: string) => (await loose[door]?.(path('/'))) as Record<string, () => Promise<unknown>>
    const all = async (parts: unknown) => await Array.fromAsync(parts as AsyncIterable<never>)
    const doors: (() => unknown)[] = [
      () => loose['stat']?.(path('/a')),
      () => loose['write']?.(path('/a')),
      () => loose['copy']?.(path('/a'), path('/b'), {}),
      () => all(loose['walk']?.(path('/'))),
      async () => await all(await loose['listing']?.(path('/'))),
      async () => await (await inside('open'))['head']?.(),
      async () => await (await inside('open'))['send']?.(),
      async () => await all((await inside('archive'))['parts']?.()),
      async () => await (await inside('stageFolder'))['write']?.(),
      async () => await (await inside('within'))['stat']?.(),
      () => (scope.trash.put as unknown as typeof failing)(),
      () => (scope.staging.append as unknown as typeof failing)(),
    ]
    for (const door of doors) await expect(Promise.resolve(door())).rejects.toThrow(message)
  })
})
