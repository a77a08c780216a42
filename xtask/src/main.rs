mod generate;
mod random;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let o = generate::Options { only: a.get(3).map(|s| s.split(',').map(String::from).collect()).unwrap_or_default(), exotic: true, ..Default::default() };
    print!("{}", generate::program(a[1].parse().unwrap(), a[2].parse().unwrap(), &o));
}
