//! Data models by their names in files.

use frontend::DataModel;
use serde::{Deserialize, Deserializer, Serializer};

pub fn name(model: DataModel) -> &'static str {
    match model {
        DataModel::Ilp32 => "ILP32",
        DataModel::Lp64 => "LP64",
    }
}

pub fn named(name: &str) -> Option<DataModel> {
    [DataModel::Ilp32, DataModel::Lp64].into_iter().find(|model| self::name(*model) == name)
}

pub fn serialize<S: Serializer>(model: &Option<DataModel>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(model.map_or("", name))
}

pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<DataModel>, D::Error> {
    Ok(named(&String::deserialize(from)?))
}
