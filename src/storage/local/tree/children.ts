import { readdir } from 'node:fs/promises'
import { isOwnName } from '../own-names.ts'
import { at, type Pin } from '../pin.ts'

/** Names as bytes: one that is not UTF-8 would come back as another one. */
export async function childrenOf(folder: Pin): Promise<Buffer[]> {
  return await readdir(at(folder), { encoding: 'buffer' })
}

/** Without the files that the storage keeps for itself. */
export async function visibleChildrenOf(folder: Pin): Promise<Buffer[]> {
  return (await childrenOf(folder)).filter((name) => !isOwnName(name.toString('latin1')))
}
