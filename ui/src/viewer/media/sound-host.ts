import { createContext } from 'react'
import type { Store } from '../../lib/create-store.ts'
import type { SoundPlayer } from './sound-player.ts'

/** What goes on playing when its file is left. Without a provider, songs stop then. */
export const SoundContext = createContext<Store<SoundPlayer | undefined> | undefined>(undefined)
