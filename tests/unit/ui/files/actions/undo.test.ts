import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { changeTrash, listTrash, restoreTrash } from '../../../../../src/api/files/trash.ts'
import { parseVirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { createStore } from '../../../../../ui/src/lib/create-store.ts'
import { createActivity } from '../../../../../ui/src/files/actions/batches/activity.ts'
import { undoChange } from '../../../../../ui/src/files/actions/undo/undo.ts'
import type { AddedEntries, FileActionsDeps } from '../../../../../ui/src/files/actions/model.ts'

/** The message after undoing a deletion of `paths`, with only these items in the trash. */
async function undoDeletion(paths: readonly string[], trash: readonly string[]) {
  const messages: string[] = []
  const addedEntries = createStore<AddedEntries | null>(null)
  const activity = createActivity()
  const items = trash.map((path) => ({ id: path, path, name: path.slice(1), isDir: false, size: 1 }))
  const call = async (endpoint: unknown, { params, body }: { params?: { id: string }; body?: { ids: string[] } }) => {
    if (endpoint === changeTrash) return await Promise.resolve(body?.ids.map((id) => ({ id, path: id })))
    return await Promise.resolve(endpoint === listTrash ? items : endpoint === restoreTrash && { path: params?.id })
  }
  const deps = {
    client: { call },
    queries: new QueryClient(),
    activity,
    addedEntries,
    toasts: { success: (text: string) => messages.push(text), error: (text: string) => messages.push(text) },
    text: (id: string, values: Record<string, string> = {}) => [id, ...Object.values(values)].join(' '),
  } as unknown as FileActionsDeps
  await undoChange(deps, { kind: 'trashed', paths: paths.map((path) => parseVirtualPath(path)) })
  return {
    messages,
    back: addedEntries.get()?.names ?? [],
    listed: activity.batches.get().filter(({ isReported }) => isReported !== true).length,
  }
}

describe('undoing a deletion', () => {
  it('restores the item', async () => {
    const { messages, back } = await undoDeletion(['/a.txt', '/b.txt'], ['/b.txt', '/a.txt'])
    expect({ messages, back: back.toSorted() }).toEqual({ messages: ['actions.undone'], back: ['a.txt', 'b.txt'] })
  })

  it('is not reported as done if the trash was emptied meanwhile', async () => {
    const { messages, back, listed } = await undoDeletion(['/a.txt'], [])
    expect({ messages, back, listed }).toEqual({
      messages: ['actions.notRestored a.txt actions.notFound'],
      back: [],
      listed: 0,
    })
  })

  it('restores what is left, and names what is missing', async () => {
    const { messages, back } = await undoDeletion(['/a.txt', '/b.txt'], ['/b.txt'])
    expect({ messages, back }).toEqual({ messages: ['actions.notRestored a.txt actions.notFound'], back: ['b.txt'] })
  })
})
