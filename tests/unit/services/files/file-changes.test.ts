import { expect, it } from 'vitest'
import type { FileChange } from '../../../../src/services/access/file-changes.ts'
import { parseVirtualPath as path } from '../../../../src/domain/files/virtual-path.ts'
import { testContext } from '../../../helpers/test-context.ts'
import { recordingLog } from '../../../helpers/recording-log.ts'

it('reports what was created, moved and removed, even if one of the listeners fails', async () => {
  const log = recordingLog()
  await using context = await testContext({ files: { 'a.txt': 'a', 'dir/b.txt': 'b' }, log })
  const { fileChanges, transfers } = context.services
  const admin = await context.actor('admin')
  const heard: FileChange[] = []
  fileChanges.subscribe(() => Promise.reject(new Error('deaf')))
  fileChanges.subscribe((change) => void heard.push(change))
  const asked = { override: false, rename: false }
  await transfers.transfer(admin, '/a.txt', { ...asked, action: 'copy', destination: '/c.txt' })
  await transfers.transfer(admin, '/a.txt', { ...asked, action: 'rename', destination: '/d.txt' })
  await (
    await transfers.remove(admin, '/dir', false)
  )?.done
  expect(heard).toEqual([
    { kind: 'written', user: admin.user(), path: path('/c.txt') },
    { kind: 'moved', user: admin.user(), from: path('/a.txt'), to: path('/d.txt') },
    { kind: 'removed', user: admin.user(), path: path('/dir') },
  ])
  expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(3)
})
