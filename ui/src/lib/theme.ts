import { createStore, type Store } from './create-store.ts'
import { asThemeChoice, showTheme, THEME_KEY, type ThemeChoice } from './theme-choice.ts'

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
  const choice = createStore<ThemeChoice>(asThemeChoice(storage.getItem(THEME_KEY) ?? branding))
  const apply = () => showTheme(page, choice.get())
  choice.subscribe(apply)
  apply()
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => choice.set(asThemeChoice(data)))
  return {
    choice,
    choose(next) {
      choice.set(next)
      storage.setItem(THEME_KEY, next)
      channel.postMessage(next)
    },
  }
}
