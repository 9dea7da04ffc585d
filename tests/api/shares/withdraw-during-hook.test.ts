import { createHash } from 'node:crypto'
import { chmod, link, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { heldBy } from '../../helpers/api/held-by.ts'
import { contentOf, linkOf, receiving } from '../../helpers/api/receiving.ts'
import { receiptOf, send } from '../../helpers/api/send-files.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The owner's ways to put other content at the path of a file. */
const EDITS: Readonly<Record<string, (file: string, content: string) => Promise<void>>> = {
  'edits it': async (file, content) => await writeFile(file, content),
  'replaces it': async (file, content) => {
    await writeFile(`${file}.new`, content)
    await rename(`${file}.new`, file)
  },
  'edits it with an editor that keeps its time': async (file, content) => {
    const { atime, mtime } = await stat(file)
    await writeFile(file, content)
    await utimes(file, atime, mtime)
  },
}

/** The attack is to remove what the owner has made of a file, in the minutes that a hook may take. */
it.each(
  Object.keys(EDITS).flatMap((edit) => [
    [edit, 'two', 'before'],
    [edit, 'longer', 'before'],
    [edit, 'two', 'after'],
  ]),
)(
  'a visitor does not remove a file if its owner %s while a hook runs: %s, receipt %s',
  async (edit, content, receipt) => {
    await using held = await heldBy('delete')
    await using world = await receiving({ maxFiles: 2 }, held.options)
    const { server } = world
    const file = join(server.root, 'docs/x')
    // Whole seconds, which an editor can keep exactly.
    const headers = { 'upload-metadata': `mtime ${btoa('1700000000')}` }
    const address = await send(server, world.link, 'x', 'one', { headers })
    if (receipt === 'before') expect(await receiptOf(server, address)).toMatchObject({ sha256: sha256('one') })
    const answer = server.ask('DELETE', address, { headers: { accept: 'application/json' } })
    await held.begun()
    await EDITS[edit]?.(file, content)
    await held.goOn()
    expect((await answer).json()).toMatchObject({
      error: { code: 'NOT_FOUND', message: 'the file that you sent is not there any more' },
    })
    expect(await contentOf(world, 'x')).toBe(content)
    expect(await linkOf(world)).toMatchObject({ filesLeft: 1 })
    expect(await receiptOf(server, address)).toMatchObject({ name: 'x', size: 3 })
  },
)

it.each([
  ['leaves it alone', async () => undefined],
  ['keeps another name of it', async (file: string) => await link(file, `${file}.kept`)],
  ['restricts it', async (file: string) => await chmod(file, 0o600)],
])('a visitor removes a file if a hook %s', async (_what, work) => {
  await using held = await heldBy('delete')
  await using world = await receiving({ maxFiles: 2 }, held.options)
  const address = await send(world.server, world.link, 'x', 'one')
  const answer = world.server.ask('DELETE', address)
  await held.begun()
  await work(join(world.server.root, 'docs/x'))
  await held.goOn()
  expect((await answer).statusCode).toBe(204)
  expect(await world.names()).not.toContain('x')
  expect(await linkOf(world)).toMatchObject({ filesLeft: 2 })
})
