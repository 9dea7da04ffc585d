import { createStore, type Store } from '../lib/create-store.ts'

/** Editor settings of this browser, for all its users. */
export interface EditorSettings {
  /** Pixels. */
  readonly fontSize: number
  readonly wrap: boolean
  /** Whether the Markdown preview is shown. */
  readonly preview: boolean
}

const KEY = 'filemgr:editor'
const DEFAULTS: EditorSettings = { fontSize: 12, wrap: true, preview: true }

export function readEditorSettings(storage: Pick<Storage, 'getItem'>): EditorSettings {
  const kept = parse(storage.getItem(KEY))
  const { fontSize, wrap, preview } = kept
  return {
    fontSize: typeof fontSize === 'number' ? atLeastOne(fontSize) : DEFAULTS.fontSize,
    wrap: typeof wrap === 'boolean' ? wrap : DEFAULTS.wrap,
    preview: typeof preview === 'boolean' ? preview : DEFAULTS.preview,
  }
}

/** Editor settings that are stored in the browser on each change. */
export function createEditorSettings(storage: Storage): Store<EditorSettings> {
  const settings = createStore(readEditorSettings(storage))
  settings.subscribe(() => {
    const { fontSize, wrap, preview } = settings.get()
    storage.setItem(KEY, JSON.stringify({ fontSize, wrap, preview }))
  })
  return settings
}

/** Changes the font size, but never below one pixel. */
export function withFontSize(settings: EditorSettings, step: number): EditorSettings {
  return { ...settings, fontSize: atLeastOne(settings.fontSize + step) }
}

function atLeastOne(size: number): number {
  return Number.isFinite(size) ? Math.max(1, Math.round(size)) : DEFAULTS.fontSize
}

function parse(json: string | null): Partial<Record<keyof EditorSettings, unknown>> {
  try {
    const value: unknown = JSON.parse(json ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
