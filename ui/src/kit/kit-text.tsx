import { createContext, useContext } from 'react'

/** The few words the kit itself says. The app fills them in its language. */
export interface KitText {
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
