import { useMemo } from 'react'
import { encode } from 'uqr'
import styles from './qr-code.module.css'

/** The capacity of the largest code. */
const MAX_BYTES = 2953

interface QrCodeProps {
  /** Usually an address. Nothing is rendered if it is too long for any code. */
  readonly text: string
  /** Accessible name. */
  readonly label: string
  /** Pixels of each side, without the frame. */
  readonly size?: number | undefined
}

/** A QR code, dark on white in every theme because cameras need that. Load it lazily. */
export function QrCode({ text, label, size = 120 }: QrCodeProps) {
  const code = useMemo(() => drawCode(text), [text])
  if (code === null) return null
  return (
    <div className={styles['frame']}>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${code.size} ${code.size}`}
        width={size}
        height={size}
        shapeRendering="crispEdges"
      >
        <path d={code.path} />
      </svg>
    </div>
  )
}

function drawCode(text: string): { readonly size: number; readonly path: string } | null {
  if (new TextEncoder().encode(text).length > MAX_BYTES) return null
  const { data, size } = encode(text, { border: 0, boostEcc: true })
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return { size, path }
}
