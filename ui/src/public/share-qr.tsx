import { Suspense } from 'react'
import { lazyPart } from '../kit/lazy-part.tsx'

const QrCode = lazyPart(async () => (await import('../kit/text/qr-code.tsx')).QrCode)

interface ShareQrProps {
  readonly text: string
  readonly label: string
  readonly hint: string
  readonly size: number
}

/** The way to another device, and what it is for. */
export function ShareQr({ text, label, hint, size }: ShareQrProps) {
  return (
    <>
      <Suspense fallback={<span style={{ inlineSize: size + 22, blockSize: size + 22 }} />}>
        <QrCode text={text} label={label} size={size} />
      </Suspense>
      <span>{hint}</span>
    </>
  )
}
