import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { smallDisk } from '../../helpers/disks/small-disk.ts'

it('a log on a full disk says how many lines were lost, and loses no line after that', async () => {
  using disk = smallDisk(1)
  const path = join(disk.path, 'x.log')
  const script = fileURLToPath(new URL('./log-writer.ts', import.meta.url))
  const env = { ...process.env, ...disk.env }
  disk.leave(20_000)
  const writer = spawn(process.execPath, [script, path], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(writer, 'exit')
  await once(writer.stdout, 'data')
  disk.empty()
  writer.stdin.end('go\n')
  expect(await ended).toEqual([0, null])
  const lines = (await readFile(path, 'utf8')).split('\n')
  expect(lines.slice(-3)).toEqual(['lost 3', 'good', ''])
  expect(lines.every((line) => line.length <= 2999)).toBe(true)
})
