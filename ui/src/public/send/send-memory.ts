/** Identifies a file when it is chosen again. */
export type FileFacts = Pick<File, 'name' | 'size' | 'lastModified'>

/** A file that has arrived. */
export interface ArrivedFile extends FileFacts {
  readonly id: string
}

/** What a browser remembers of the files sent to a link. */
export interface SendMemory {
  /** The address at which an unfinished upload can be continued. */
  addressOf(file: FileFacts): string | undefined
  begin(file: FileFacts, address: string): void
  end(file: FileFacts): void
  /** Unfinished uploads, also those of other tabs. */
  begun(): FileFacts[]
  /** Kept until the tab is closed. */
  arrived(): ArrivedFile[]
  keepArrived(files: readonly ArrivedFile[]): void
  /** Whether a proxy has refused large parts. Kept until the tab is closed. */
  readonly smallParts: boolean
  keepSmallParts(): void
  /** The name that the visitor has given last; "" if none was. */
  readonly from: string
  keepFrom(name: string): void
}

const SMALL_PARTS = 'filemgr:sending:small-parts'

export function createSendMemory(hash: string, lasting: Storage, ofTab: Storage): SendMemory {
  const prefix = `filemgr:sending:${hash}:`
  const arrivedKey = `filemgr:sent:${hash}`
  const fromKey = `filemgr:sender:${hash}`
  const keyOf = ({ name, size, lastModified }: FileFacts) => `${prefix}${name}:${size}:${lastModified}`
  return {
    addressOf: (file) => lasting.getItem(keyOf(file)) ?? undefined,
    begin: (file, address) => lasting.setItem(keyOf(file), address),
    end: (file) => lasting.removeItem(keyOf(file)),
    begun: () =>
      Array.from({ length: lasting.length }, (_none, index) => lasting.key(index) ?? '').flatMap((key) => {
        const facts = key.startsWith(prefix) ? /^(.*):(\d+):(-?\d+)$/s.exec(key.slice(prefix.length)) : null
        return facts === null ? [] : { name: facts[1] ?? '', size: Number(facts[2]), lastModified: Number(facts[3]) }
      }),
    arrived: () => JSON.parse(ofTab.getItem(arrivedKey) ?? '[]') as ArrivedFile[],
    keepArrived: (files) => ofTab.setItem(arrivedKey, JSON.stringify(files)),
    get smallParts() {
      return ofTab.getItem(SMALL_PARTS) !== null
    },
    keepSmallParts: () => ofTab.setItem(SMALL_PARTS, ''),
    get from() {
      return lasting.getItem(fromKey) ?? ''
    },
    keepFrom: (name) => lasting.setItem(fromKey, name),
  }
}

export function isSameFile(one: FileFacts, other: FileFacts): boolean {
  return one.name === other.name && one.size === other.size && one.lastModified === other.lastModified
}
