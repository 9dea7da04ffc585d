import type { Theme } from '../lib/theme.ts'
import { requiredContext } from '../lib/hooks.ts'

/** The few texts of the kit itself, in the language of the page. */
interface KitText {
  close: string
  dismiss: string
  notifications: string
  showPassword: string
  hidePassword: string
  capsLock: string
}

export const [KitTextProvider, useKitText] = requiredContext<KitText>('KitText')

export const [ThemeProvider, useTheme] = requiredContext<Theme>('Theme')
