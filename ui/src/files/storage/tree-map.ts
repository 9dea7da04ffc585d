/** A place in the map, in percent of its width and height. */
export interface MapBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Places rectangles with areas in proportion to weights, as close to squares as they can be (Bruls, Huizing, van Wijk: squarified
 * treemaps): along the shorter side of what is left, rows grow as long as that makes their rectangles less oblong.
 *
 * @param weights above 0, the largest first
 * @param aspect width of the map divided by its height
 */
export function treeMap(weights: readonly number[], aspect: number): MapBox[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const boxes: MapBox[] = []
  let [x, y, width, height] = [0, 0, aspect, 1]
  for (let first = 0; first < weights.length;) {
    const shorter = Math.min(width, height)
    const areas = weights.slice(first).map((weight) => (weight / total) * aspect)
    const row = firstRow(areas, shorter)
    const sum = row.reduce((all, area) => all + area, 0)
    const depth = sum / shorter
    let at = 0
    for (const area of row) {
      const length = area / depth
      const placed = width >= height ? [x, y + at, depth, length] : [x + at, y, length, depth]
      boxes.push(inPercent(placed, aspect))
      at += length
    }
    if (width >= height) [x, width] = [x + depth, width - depth]
    else [y, height] = [y + depth, height - depth]
    first += row.length
  }
  return boxes
}

function firstRow(areas: readonly number[], side: number): readonly number[] {
  let [sum, best] = [0, Infinity]
  const largest = areas[0] ?? 0
  for (const [index, area] of areas.entries()) {
    sum += area
    const worst = Math.max((side * side * largest) / (sum * sum), (sum * sum) / (side * side * area))
    if (worst > best) return areas.slice(0, index)
    best = worst
  }
  return areas
}

function inPercent([x = 0, y = 0, width = 0, height = 0]: readonly number[], aspect: number): MapBox {
  return { x: (x / aspect) * 100, y: y * 100, width: (width / aspect) * 100, height: height * 100 }
}
