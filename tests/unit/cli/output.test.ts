import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { FilemgrError } from '../../../src/domain/errors.ts'
import { createOutput, writeError } from '../../../src/cli/terminal/output.ts'

/** What moves the cursor, ends a line, or reverses text. */
const UNSAFE = ['\u001b[2J', '\u0007', '\u009b31m', '\u0085', '\u202e', '\u2066', '\u2028', '\u200f']

function recorder(isTTY = false) {
  const written: string[] = []
  const stream = new Writable({
    write(part: Buffer, _encoding, done) {
      written.push(String(part))
      done()
    },
  })
  return { written, stream: Object.assign(stream, { isTTY }) }
}

describe.each(UNSAFE)('a name with %j', (unsafe) => {
  const name = `a${unsafe}b`
  const isRaw = (texts: readonly string[]) => texts.join('').includes(unsafe)

  it('is the same value in JSON, and harmless on a terminal', async () => {
    const [out, err] = [recorder(true), recorder()]
    const output = createOutput(
      { json: true, quiet: false, color: false, plain: true },
      { stdout: out.stream, stderr: err.stream },
    )
    await output.answer({ json: { name }, text: '' })
    expect(isRaw(out.written)).toBe(false)
    expect(JSON.parse(out.written.join(''))).toEqual({ name })
    writeError(new FilemgrError('NOT_FOUND', name), { json: true, debug: false }, err.stream)
    expect(isRaw(err.written)).toBe(false)
    expect(JSON.parse(err.written.join(''))).toMatchObject({ error: { message: name } })
  })

  it('is harmless in notices, warnings and errors', () => {
    const err = recorder()
    const style = { json: false, quiet: false, color: false, plain: true }
    const output = createOutput(style, { stdout: recorder().stream, stderr: err.stream })
    output.notice(`first\n${name}`)
    output.warning(name)
    writeError(new FilemgrError('NOT_FOUND', name), { json: false, debug: false }, err.stream)
    expect(isRaw(err.written)).toBe(false)
    expect(err.written.join('').split('\n')).toHaveLength(5)
  })

  it('is printed as it is where a script reads ids, and harmless on a terminal', async () => {
    const [pipe, terminal] = [recorder(), recorder(true)]
    for (const { stream } of [pipe, terminal]) {
      const output = createOutput(
        { json: false, quiet: true, color: false, plain: true },
        { stdout: stream, stderr: stream },
      )
      await output.answer({ json: [], ids: [name], text: '' })
    }
    expect([isRaw(pipe.written), isRaw(terminal.written)]).toEqual([true, false])
  })
})

it('gives scripts the bytes of a name that is not UTF-8', async () => {
  const written: Buffer[] = []
  const stdout = new Writable({
    write(part: Buffer, _encoding, done) {
      written.push(part)
      done()
    },
  })
  const output = createOutput({ json: false, quiet: true, color: false, plain: true }, { stdout, stderr: stdout })
  await output.answer({ json: [], ids: ['/caf\udce9.txt', 7], text: '' })
  expect(Buffer.concat(written).toString('latin1')).toBe('/caf\xe9.txt\n7\n')
})
