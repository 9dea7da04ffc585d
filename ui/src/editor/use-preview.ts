import { useState } from 'react'
import { useStore, type Store } from '../lib/create-store.ts'
import { NARROW, useMediaQuery } from '../lib/use-media-query.ts'
import type { EditorSettings } from './model/editor-settings.ts'

/** The preview of a text. `toggle` is undefined for a text that has none. */
export interface Preview {
  readonly shown: boolean
  readonly toggle: (() => void) | undefined
}

/** Markdown has a preview. Where there is room for both it is remembered; on narrow screens each text begins as text. */
export function usePreview(name: string, settings: Store<EditorSettings>): Preview {
  const narrow = useMediaQuery(NARROW)
  const { preview } = useStore(settings)
  const [instead, setInstead] = useState(false)
  if (!/\.(md|markdown)$/i.test(name)) return { shown: false, toggle: undefined }
  if (narrow) return { shown: instead, toggle: () => setInstead(!instead) }
  return { shown: preview, toggle: () => settings.set((before) => ({ ...before, preview: !preview })) }
}
