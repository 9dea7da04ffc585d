import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, it, onTestFinished } from 'vitest'
import { FileOutput, requireWritten } from '../../../src/cli/terminal/standard-output.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

const NO_ROOM = { code: 'NO_SPACE', message: 'standard output cannot be written (no space left)' }

function full(): FileOutput {
  const fd = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(fd))
  return new FileOutput(fd)
}

const report = (stdout: FileOutput, before?: string) => () =>
  requireWritten({ stdout, stderr: new PassThrough() }, before)

it('writes text and bytes to a file, in order, and closes it', async () => {
  await using folder = await tempFolder()
  const stdout = new FileOutput(openSync(folder.at('out'), 'a'))
  stdout.write('ä\n')
  await pipeline([Buffer.from('b'), Buffer.from('c')], stdout, { end: false })
  report(stdout)()
  expect(await readFile(folder.at('out'), 'utf8')).toBe('ä\nbc')
  expect(report(stdout)).toThrow('standard output cannot be written (EBADF)')
})

it('reports a failed write, once for all that follow', async () => {
  const stdout = full()
  stdout.write('a')
  stdout.write('b')
  await new Promise(setImmediate)
  stdout.write('c')
  expect(report(stdout)).toThrow(expect.objectContaining(NO_ROOM) as Error)
  expect(report(stdout, 'done, but ')).toThrow(`done, but ${NO_ROOM.message}`)
})

it('ends what is sent to it', async () => {
  let sent = 0
  const endless = function* () {
    for (;;) yield `${(sent += 1)}`
  }
  await expect(pipeline(endless, full(), { end: false })).rejects.toMatchObject(NO_ROOM)
  expect(sent).toBeLessThan(1000)
})

it('takes no offence at a reader that has left, and reports every other failure of a pipe', async () => {
  const failing = async (code: string) => {
    const stdout = new PassThrough().on('error', () => undefined)
    stdout.destroy(Object.assign(new Error(`write ${code}`), { code }))
    await new Promise(setImmediate)
    return () => requireWritten({ stdout, stderr: new PassThrough() }, 'done, but ')
  }
  expect(await failing('EPIPE')).not.toThrow()
  expect(await failing('EIO')).toThrow('done, but standard output cannot be written (EIO)')
})
