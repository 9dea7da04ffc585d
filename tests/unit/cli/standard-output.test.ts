import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { PassThrough, Writable } from 'node:stream'
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

const report = async (stdout: Writable, before?: string) =>
  await requireWritten({ stdout, stderr: new PassThrough() }, before)

it('writes text and bytes to a file, in order, and closes it', async () => {
  await using folder = await tempFolder()
  const stdout = new FileOutput(openSync(folder.at('out'), 'a'))
  stdout.write('ä\n')
  await pipeline([Buffer.from('b'), Buffer.from('c')], stdout, { end: false })
  await report(stdout)
  expect(await readFile(folder.at('out'), 'utf8')).toBe('ä\nbc')
  await expect(report(stdout)).rejects.toThrow('standard output cannot be written (EBADF)')
})

it('reports a failed write, once for all that follow', async () => {
  const stdout = full()
  stdout.write('a')
  stdout.write('b')
  await expect(report(stdout)).rejects.toMatchObject(NO_ROOM)
  stdout.write('c')
  await expect(report(stdout, 'done, but ')).rejects.toThrow(`done, but ${NO_ROOM.message}`)
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
    await report(stdout, 'done, but ')
  }
  await failing('EPIPE')
  await expect(failing('EIO')).rejects.toThrow('done, but standard output cannot be written (EIO)')
})

it('waits for what a slow reader has not taken yet', async () => {
  const taken: string[] = []
  const stdout = new Writable({
    write(part: Buffer, _encoding, done) {
      setTimeout(() => {
        taken.push(part.toString())
        done()
      }, 20)
    },
  })
  stdout.write('a')
  stdout.write('b')
  await report(stdout)
  expect(taken.join('')).toBe('ab')
})
