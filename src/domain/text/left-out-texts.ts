import type { LeftOutReason } from '../files/left-out.ts'

/** Why an entry was left out, as the end of a sentence. The page has texts of its own. */
export const LEFT_OUT_TEXTS: Readonly<Record<LeftOutReason, string>> = {
  changed: 'changed meanwhile, or cannot be copied',
  inUse: 'something is being written into it; move it when that has ended',
  copyGone: 'its copy was removed or changed meanwhile',
  attributes: 'the disk does not take these attributes, or this time',
  encrypted: 'encrypted',
  damaged: 'damaged',
  unsupported: 'compressed in a way that cannot be read here',
  link: 'a link whose target is not taken along',
  special: 'a pipe, socket or device',
  sparse: 'a sparse file, which cannot be unpacked here',
  outside: 'its path leads out of the folder',
  name: 'no file can have this name here',
  taken: 'something else has this name',
  older: 'there is a later file of this name',
  unreadable: 'it may not be read',
  nested: 'nested too deeply, or one of too many links to folders',
  shortened: 'became shorter while it was read',
  renamed: 'this name was taken, or cannot be used',
}
