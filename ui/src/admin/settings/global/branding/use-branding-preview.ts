import { useEffect, useRef } from 'react'
import { applyBranding } from '../../../../api/apply-branding.ts'
import { useConfig } from '../../../../api/config.tsx'

/** Shows colours as they are edited, and goes back to the saved ones afterwards. */
export function useBrandingPreview(active: boolean, color: string, theme: string): void {
  const { Color, Theme } = useConfig()
  const saved = useRef({ color: Color, theme: Theme })
  useEffect(() => {
    saved.current = { color: Color, theme: Theme }
  }, [Color, Theme])
  useEffect(() => {
    if (!active) return
    applyBranding(document, { color, theme })
    return () => applyBranding(document, saved.current)
  }, [active, color, theme])
}
