// hatch.js - diagonal lines over a box of a canvas.

// Lines rise to the right, or fall with `falls`.
export function drawHatch(g, box, color, falls) {
  const { x, y, w, h } = box;
  g.save();
  g.beginPath();
  g.rect(x, y, w, h);
  g.clip();
  g.strokeStyle = color;
  g.lineWidth = 1.5;
  g.beginPath();
  // Lines start on a grid of the canvas, so neighbors continue each other.
  for (let at = Math.floor((x - h) / 7) * 7; at < x + w + h; at += 7) {
    g.moveTo(at, falls ? y : y + h);
    g.lineTo(at + h, falls ? y + h : y);
  }
  g.stroke();
  g.restore();
}
