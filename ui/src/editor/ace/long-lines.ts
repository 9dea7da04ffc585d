import type { Ace } from 'ace-builds'

/** Characters; what a line has more is shown on demand only. */
export const LONGEST_LINE = 10_000

export interface LongLineWords {
  readonly more: string
  readonly less: string
}

interface TextLayer {
  MAX_LINE_LENGTH: number
  $renderOverflowMessage(parent: HTMLElement, column: number, token: unknown, value: string, hide?: boolean): void
}

/** Cuts long lines while they are not wrapped, and says on the button behind them how to see the rest. */
export function labelLongLines(editor: Ace.Editor, { more, less }: LongLineWords): void {
  const layer = (editor.renderer as unknown as { readonly $textLayer: TextLayer }).$textLayer
  layer.MAX_LINE_LENGTH = LONGEST_LINE
  const render = layer.$renderOverflowMessage.bind(layer)
  layer.$renderOverflowMessage = (parent, column, token, value, hide) => {
    render(parent, column, token, value, hide)
    if (parent.lastElementChild !== null) parent.lastElementChild.textContent = hide === true ? less : more
  }
}
