import { createStore, type Store } from './create-store.ts'

/** `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = 'filemgr:theme'

export interface Theme {
  readonly choice: Store<ThemeChoice>
  /** Remembers the choice, and turns the other windows with this one. */
  choose(choice: ThemeChoice): void
}

interface ThemeDependencies {
  page: HTMLElement
  storage: Storage
  channel: BroadcastChannel
  /** The theme that the server's branding asks for; "" leaves it to the system. */
  branding: string
}

export function createTheme({ page, storage, channel, branding }: ThemeDependencies): Theme {
  const choice = createStore<ThemeChoice>(asChoice(storage.getItem(KEY) ?? branding))
  const apply = () => {
    page.classList.toggle('light', choice.get() === 'light')
    page.classList.toggle('dark', choice.get() === 'dark')
  }
  choice.subscribe(apply)
  apply()
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => choice.set(asChoice(data)))
  return {
    choice,
    choose(next) {
      choice.set(next)
      storage.setItem(KEY, next)
      channel.postMessage(next)
    },
  }
}

function asChoice(value: unknown): ThemeChoice {
  return value === 'light' || value === 'dark' ? value : 'system'
}
