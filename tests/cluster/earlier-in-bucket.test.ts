import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openS3Storage } from '../../src/storage/s3/s3-storage.ts'
import { storagePathOf } from '../../src/storage/storage.ts'
import { codeOf, content, path, put } from '../contract/storage/view.ts'
import { startS3Server } from '../helpers/cluster/s3-server.ts'
import { s3OfFile } from '../helpers/cluster/server-of-file.ts'

const FREE = { replace: false, folderMode: 0o750 }
const OVER = { ...FREE, replace: true }
const HOUR = 60 * 60 * 1000

const server = s3OfFile(startS3Server)

async function world() {
  const storage = openS3Storage({ bucket: server().bucket, prefix: `${randomUUID()}/` })
  const scope = await storage.openScope(storagePathOf(path('/')), 'inside')
  await put(scope, '/from/a', 'mine')
  return { scope, [Symbol.asyncDispose]: async () => await storage[Symbol.asyncDispose]() }
}

describe('an operation in a bucket that continues', () => {
  it.each(['copy', 'move'] as const)('does not replace what has appeared since it began: %s', async (call) => {
    await using opened = await world()
    const { scope } = opened
    // Of the same size.
    await put(scope, '/to', 'else')
    const earlier = { since: Date.now() - HOUR }
    for (const mode of [FREE, OVER])
      expect(await codeOf(scope[call](path('/from/a'), path('/to'), { ...mode, earlier }))).toBe('CONFLICT')
    expect([await content(scope, '/from/a'), await content(scope, '/to')]).toEqual(['mine', 'else'])
  })

  it.each([{}, { merging: true as const }])('replaces what was there before it began, if it may: %j', async (more) => {
    await using opened = await world()
    const { scope } = opened
    await put(scope, '/to', 'else')
    const earlier = { since: Date.now() + HOUR, ...more }
    expect(await codeOf(scope.copy(path('/from/a'), path('/to'), { ...FREE, earlier }))).toBe('CONFLICT')
    await scope.copy(path('/from/a'), path('/to'), { ...OVER, earlier })
    expect(await content(scope, '/to')).toBe('mine')
  })

  it('leaves what others have put into its folder since, and says so', async () => {
    await using opened = await world()
    const { scope } = opened
    await put(scope, '/from/b', 'b')
    await put(scope, '/to/a', 'others')
    const leftOut: string[] = []
    const mode = { ...FREE, earlier: { since: Date.now() - HOUR, merging: true as const } }
    await scope.copy(path('/from'), path('/to'), mode, { leftOut: (name) => leftOut.push(name) })
    expect(leftOut).toEqual(['from/a'])
    expect([await content(scope, '/to/a'), await content(scope, '/to/b')]).toEqual(['others', 'b'])
  })
})
