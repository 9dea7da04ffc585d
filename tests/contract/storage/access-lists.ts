/** Attributes that hold access control lists. */
export const ACCESS = 'system.posix_acl_access'
export const DEFAULT = 'system.posix_acl_default'

/** The owner may write; user 1000, the group and the mask may read. */
export const READERS = accessList([1, 6], [2, 4, 1000], [4, 4], [16, 4], [32, 0])

function accessList(...entries: (readonly [kind: number, rights: number, id?: number])[]): Buffer {
  const list = Buffer.alloc(4 + 8 * entries.length)
  list.writeUInt32LE(2)
  entries.forEach(([kind, rights, id = 0xffffffff], index) => {
    list.writeUInt16LE(kind, 4 + 8 * index)
    list.writeUInt16LE(rights, 6 + 8 * index)
    list.writeUInt32LE(id, 8 + 8 * index)
  })
  return list
}
