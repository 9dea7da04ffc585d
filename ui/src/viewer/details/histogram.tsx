import { useEffect, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import styles from './details-panel.module.css'

const SIDE = 64
const WIDTH = 288
const HEIGHT = 56

/** A chart of the brightness of a picture, dark at the left. */
export function Histogram({ address }: { readonly address: string }) {
  const t = useText()
  const [steps, setSteps] = useState<readonly number[] | null>(null)
  useEffect(() => {
    let current = true
    void brightnessOf(address).then((found) => {
      if (current) setSteps(found)
    })
    return () => {
      current = false
    }
  }, [address])
  if (steps === null) return null
  return (
    <div className={styles['light']}>
      <h3>{t('viewer.histogram')}</h3>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={t('viewer.histogram')}>
        <path d={pathOf(steps)} />
      </svg>
    </div>
  )
}

async function brightnessOf(address: string): Promise<number[] | null> {
  const image = new Image()
  image.src = address
  try {
    await image.decode()
  } catch (error) {
    if (error instanceof DOMException) return null
    throw error
  }
  const canvas = new OffscreenCanvas(SIDE, SIDE)
  const context = canvas.getContext('2d')
  if (context === null) return null
  context.drawImage(image, 0, 0, SIDE, SIDE)
  return histogramOf(context.getImageData(0, 0, SIDE, SIDE).data)
}

function pathOf(steps: readonly number[]): string {
  const points = steps.map((step, index) => {
    const x = (index / (steps.length - 1)) * WIDTH
    return `L${x.toFixed(1)} ${(HEIGHT - 2 - Math.sqrt(step) * (HEIGHT - 6)).toFixed(1)}`
  })
  return `M0 ${HEIGHT}${points.join('')}L${WIDTH} ${HEIGHT}z`
}

const STEPS = 48

/** The frequency of each brightness step relative to the most frequent one, from dark to light. @param pixels RGBA, 0 to 255 */
export function histogramOf(pixels: ArrayLike<number>): number[] {
  const counts = new Array<number>(STEPS).fill(0)
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    if (pixels[at + 3] === 0) continue
    // ITU-R BT.709
    const light = 0.2126 * (pixels[at] ?? 0) + 0.7152 * (pixels[at + 1] ?? 0) + 0.0722 * (pixels[at + 2] ?? 0)
    const step = Math.min(STEPS - 1, Math.floor((light / 256) * STEPS))
    counts[step] = (counts[step] ?? 0) + 1
  }
  const most = Math.max(1, ...counts)
  return counts.map((count) => count / most)
}
