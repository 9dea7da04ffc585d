import { createStore, type Store } from './create-store.ts'

/** `system` follows the operating system. */
export type ThemeChoice = 'system' | 'light' | 'dark'

/** Local storage key of the choice. */
export const THEME_KEY = 'filemgr:theme'

export function asThemeChoice(value: unknown): ThemeChoice {
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** Applies a theme to the page. */
export function showTheme(page: HTMLElement, choice: ThemeChoice): void {
  page.classList.toggle('light', choice === 'light')
  page.classList.toggle('dark', choice === 'dark')
}

/** Row height. On touch screens rows are always tall. */
type Density = 'cosy' | 'compact'

const DENSITY_KEY = 'filemgr:density'

export interface Theme {
  readonly choice: Store<ThemeChoice>
  /** Saves the choice and updates other windows. */
  choose(choice: ThemeChoice): void
  readonly density: Store<Density>
  /** Saves the row height. */
  setDensity(density: Density): void
}

interface ThemeDependencies {
  page: HTMLElement
  storage: Storage
  channel: BroadcastChannel
  /** The theme from the branding; "" for the system's. */
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
  // Fires in the other windows only.
  addEventListener('storage', readDensity)
  return {
    choice,
    choose(next) {
      choice.set(next)
      storage.setItem(THEME_KEY, next)
      channel.postMessage(next)
    },
    density,
    setDensity(next) {
      storage.setItem(DENSITY_KEY, next)
      readDensity()
    },
  }
}
