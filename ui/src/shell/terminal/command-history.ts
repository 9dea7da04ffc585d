const MOST = 200
const KEY = 'filemgr:commands'

/** The commands of this tab, walked with the arrow keys. They outlive a reload and end with the tab: they may hold secrets. */
export interface CommandHistory {
  add(command: string): void
  /** The one before; what is typed now is kept to come back to. `undefined` where there is none. */
  older(typed: string): string | undefined
  newer(): string | undefined
}

export function createCommandHistory(storage: Storage): CommandHistory {
  const commands = readList(storage.getItem(KEY))
  let place = commands.length
  let draft = ''
  return {
    add(command) {
      if (commands.at(-1) !== command) commands.push(command)
      commands.splice(0, commands.length - MOST)
      place = commands.length
      try {
        storage.setItem(KEY, JSON.stringify(commands))
      } catch (error) {
        // A full storage costs the history of the next page, not the command.
        if (!(error instanceof DOMException)) throw error
      }
    },
    older(typed) {
      if (place === 0) return undefined
      if (place === commands.length) draft = typed
      place -= 1
      return commands[place]
    },
    newer() {
      if (place === commands.length) return undefined
      place += 1
      return commands[place] ?? draft
    },
  }
}

function readList(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.map(String) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
