import { Printed } from './printed.tsx'

/** Some hundred pages: more would keep the page busy for minutes. */
const LONGEST = 500_000

/** A text on paper, with lines as long as the paper is wide. */
export function PrintedText({ read }: { readonly read: () => string }) {
  return <Printed>{() => <pre dir="ltr">{shortened(read())}</pre>}</Printed>
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
