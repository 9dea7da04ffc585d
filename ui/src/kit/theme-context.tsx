import { createContext, useContext } from 'react'
import type { Theme } from '../lib/theme.ts'

const ThemeContext = createContext<Theme | undefined>(undefined)

export const ThemeProvider = ThemeContext.Provider

export function useTheme(): Theme {
  const theme = useContext(ThemeContext)
  if (theme === undefined) throw new Error('ThemeProvider is missing above this component')
  return theme
}
