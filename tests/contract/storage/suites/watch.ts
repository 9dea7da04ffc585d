import { beforeEach, describe, expect, it } from 'vitest'
import { storagePathOf, type Scope } from '../../../../src/storage/storage.ts'
import { RecordingListener } from '../recording-listener.ts'
import { brokenBody, codeOf, NEW, path, put, REPLACE } from '../view.ts'
import { openForEach, type TestStorage } from './test-storage.ts'

/** What every storage promises about watching folders. */
export function watchContract(name: string, open: () => Promise<TestStorage>): void {
  describe(`${name}, as any storage that is watched`, () => {
    let world: TestStorage
    let scope: Scope

    openForEach(open, (opened) => {
      ;({ world, scope } = opened)
    })

    beforeEach(async () => {
      await scope.makeFolder(path('/docs'), 0o750)
    })

    it('reports files that are created, changed, renamed and removed in a folder to all listeners', async () => {
      const [one, other] = [new RecordingListener(), new RecordingListener()]
      using _one = await scope.watch(path('/docs'), one)
      using _other = await scope.watch(path('/docs'), other)
      await put(scope, '/docs/new', 'a')
      await expect.poll(() => [...one.names]).toEqual(['new'])
      one.names.clear()
      await put(scope, '/docs/new', 'b', REPLACE)
      await expect.poll(() => [...one.names]).toEqual(['new'])
      one.names.clear()
      await scope.rename(path('/docs/new'), path('/docs/newer'), { replace: false, folderMode: 0o750 })
      await expect.poll(() => one.names).toEqual(new Set(['new', 'newer']))
      one.names.clear()
      await scope.remove(path('/docs/newer'))
      await expect.poll(() => [...one.names]).toEqual(['newer'])
      expect([...other.names]).toEqual(['new', 'newer'])
    })

    it('reports neither files that are still being written, nor the trash, nor other folders', async () => {
      const listener = new RecordingListener()
      using _watch = await scope.watch(path('/'), listener)
      await put(scope, '/docs/elsewhere')
      await scope.trash.put('1', path('/docs/elsewhere'), 0)
      expect(await codeOf(scope.write(path('/broken'), brokenBody('beginning'), NEW))).not.toBe('no error')
      await put(scope, '/last')
      await expect.poll(() => listener.names.has('last')).toBe(true)
      expect([...listener.names].filter((entry) => entry !== 'docs')).toEqual(['last'])
    })

    it('reports nothing after its end, and continues after the end of the scope', async () => {
      const [ended, going] = [new RecordingListener(), new RecordingListener()]
      const closing = await world.storage.openScope(storagePathOf(path('/docs')), 'inside')
      const watch = await scope.watch(path('/docs'), ended)
      using _watch = await closing.watch(path('/'), going)
      watch[Symbol.dispose]()
      closing[Symbol.dispose]()
      await put(scope, '/docs/new')
      await expect.poll(() => [...going.names]).toEqual(['new'])
      expect([...ended.names]).toEqual([])
    })

    it('refuses a file and a missing folder', async () => {
      await put(scope, '/file')
      const listener = new RecordingListener()
      expect(await codeOf(scope.watch(path('/file'), listener))).toBe('CONFLICT')
      expect(await codeOf(scope.watch(path('/missing'), listener))).toBe('NOT_FOUND')
      expect(await codeOf(scope.watch(path('/.filemgr-trash'), listener))).toBe('NOT_FOUND')
    })
  })
}
