import { createContext, useContext } from 'react'
import type { Theme } from '../lib/theme.ts'

/** The few texts of the kit itself, in the language of the page. */
interface KitText {
  close: string
  dismiss: string
  notifications: string
  showPassword: string
  hidePassword: string
  capsLock: string
}

const KitTextContext = createContext<KitText | undefined>(undefined)

export const KitTextProvider = KitTextContext.Provider

export function useKitText(): KitText {
  const text = useContext(KitTextContext)
  if (text === undefined) throw new Error('KitTextProvider is missing above this component')
  return text
}

const ThemeContext = createContext<Theme | undefined>(undefined)

export const ThemeProvider = ThemeContext.Provider

export function useTheme(): Theme {
  const theme = useContext(ThemeContext)
  if (theme === undefined) throw new Error('ThemeProvider is missing above this component')
  return theme
}
