import { execFileSync } from 'node:child_process'
import { chmod } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'

it('an archive leaves out what the daemon may not read, and lists it', async () => {
  await using served = await tempFolder({ 'd/a.txt': 'a', 'd/private.txt': 'p', 'd/closed/b.txt': 'b', 'd/z.txt': 'z' })
  await chmod(served.at('d/private.txt'), 0)
  await chmod(served.at('d/closed'), 0)
  try {
    await using daemon = await startTestDaemon({ root: served.path, enforcePermissions: true })
    const answer = await daemon.fetch('api/raw/d?algo=tar')
    expect(answer.status).toBe(200)
    await using folder = await tempFolder({ 'a.tar': new Uint8Array(await answer.arrayBuffer()), 'out/': '' })
    execFileSync('tar', ['-xf', folder.at('a.tar'), '-C', folder.at('out')])
    execFileSync('chmod', ['-R', 'u+rwX', folder.at('out')])
    const names = execFileSync('find', [folder.at('out'), '-type', 'f', '-printf', '%P\n'], { encoding: 'utf8' })
    expect(names.trim().split('\n').toSorted()).toEqual(['a.txt', 'not in this archive.txt', 'z.txt'])
    const note = execFileSync('cat', [folder.at('out/not in this archive.txt')], { encoding: 'utf8' })
    expect(note).toContain('private.txt: may not be read')
    expect(note).toContain('closed/: may not be read')
  } finally {
    await chmod(served.at('d/closed'), 0o700)
  }
})
