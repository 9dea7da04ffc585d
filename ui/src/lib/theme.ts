import { createStore, type Store } from './create-store.ts'

/** `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** Where the browser remembers what was chosen. */
export const THEME_KEY = 'filemgr:theme'

export function asThemeChoice(value: unknown): ThemeChoice {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Dresses the page; the colours follow by themselves. */
export function showTheme(page: HTMLElement, choice: ThemeChoice): void {
  page.classList.toggle('light', choice === 'light')
  page.classList.toggle('dark', choice === 'dark')
}

/** How high rows are; where fingers point they are high in any case. */
type Density = 'cosy' | 'compact'

const DENSITY_KEY = 'filemgr:density'

export interface Theme {
  readonly choice: Store<ThemeChoice>
  /** Remembers the choice, and turns the other windows with this one. */
  choose(choice: ThemeChoice): void
  readonly density: Store<Density>
  /** The same for the rows. */
  space(density: Density): void
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
  const density = createStore<Density>('cosy')
  const readDensity = () => {
    density.set(storage.getItem(DENSITY_KEY) === 'compact' ? 'compact' : 'cosy')
    page.dataset['density'] = density.get()
  }
  readDensity()
  // Heard by the other windows only.
  addEventListener('storage', readDensity)
  return {
    choice,
    choose(next) {
      choice.set(next)
      storage.setItem(THEME_KEY, next)
      channel.postMessage(next)
    },
    density,
    space(next) {
      storage.setItem(DENSITY_KEY, next)
      readDensity()
    },
  }
}
